/** WebKitGTK refuses `navigator.clipboard` in some set-ups; a selection still works there. */
export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    const focused = document.activeElement as HTMLElement | null;
    area.select();
    document.execCommand("copy");
    area.remove();
    focused?.focus();
  }
}
