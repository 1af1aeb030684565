/** WebKitGTK refuses `navigator.clipboard` in some set-ups; a selection still works there. */
export async function copyText(text: string, html?: string) {
  try {
    if (html === undefined) await navigator.clipboard.writeText(text);
    else await navigator.clipboard.write([item(text, html)]);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    const focused = document.activeElement as HTMLElement | null;
    area.select();
    const both = (event: ClipboardEvent) => {
      if (html === undefined || !event.clipboardData) return;
      event.clipboardData.setData("text/plain", text);
      event.clipboardData.setData("text/html", html);
      event.preventDefault();
    };
    document.addEventListener("copy", both, { once: true });
    document.execCommand("copy");
    document.removeEventListener("copy", both);
    area.remove();
    focused?.focus();
  }
}

function item(text: string, html: string): ClipboardItem {
  const part = (content: string, type: string) => ({ [type]: new Blob([content], { type }) });
  return new ClipboardItem({ ...part(text, "text/plain"), ...part(html, "text/html") });
}
