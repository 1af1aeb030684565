// Fits a diagram into its frame: whole if its text can still be read, else at a scale that can be, with what matters
// in view.

import { type Box, type Size, type View, viewShowing } from "./boxes";

/** The least scale: at it the smallest text of a card, 12 px, is 10 px high. */
export const READABLE = 0.84;
const LARGEST = 1.1;
const PAD = 16;
/** Room for the buttons in the corner, where the picture reaches into it. */
const CORNER = { width: 100, height: 56 };

/** The scale at which all of it fits. */
export function scaleToFit(picture: Size, frame: Size): number {
  const across = (frame.width - 2 * PAD) / Math.max(1, picture.width);
  const down = (frame.height - 2 * PAD) / Math.max(1, picture.height);
  return Math.min(LARGEST, across, down);
}

/** All of the picture in the middle, or, where it does not fit at the least scale, as much as does with `focus` in view. */
export function viewOf(picture: Size, frame: Size, focus: Box | undefined, least = READABLE): View {
  const whole = scaleToFit(picture, frame);
  const zoom = Math.max(least, whole);
  const x = (frame.width - picture.width * zoom) / 2;
  const y = (frame.height - picture.height * zoom) / 2;
  if (whole >= least || !focus) return { x, y, zoom };
  // A diagram that is too large starts with its end in view, where the result is.
  const below = x < CORNER.width ? CORNER.height : PAD;
  const end = {
    x: x < PAD ? frame.width / 2 - (focus.x + focus.width / 2) * zoom : x,
    y: y < below ? frame.height - below - picture.height * zoom : y,
    zoom,
  };
  const spare = (at: number, size: number, room: number) =>
    size * zoom <= room - 2 * PAD ? at : Math.max(room - PAD - size * zoom, Math.min(PAD, at));
  const within = { ...end, x: spare(end.x, picture.width, frame.width) };
  return viewShowing(within, focus, frame);
}

/** Returns whether a picture fits into the width of a frame at the least scale. */
export function fitsAcross({ width }: Size, frame: Size): boolean {
  return width * READABLE <= frame.width - 2 * PAD;
}

/** All of the picture in the middle, or, where it does not fit at the least scale, its top left with `first` in view. */
export function beginOf(picture: Size, frame: Size, first: Box | undefined): View {
  if (scaleToFit(picture, frame) >= READABLE) return viewOf(picture, frame, first);
  const zoom = READABLE;
  const at = (size: number, room: number) => (size * zoom <= room - 2 * PAD ? (room - size * zoom) / 2 : PAD);
  const view = { x: at(picture.width, frame.width), y: at(picture.height, frame.height), zoom };
  return first ? viewShowing(view, first, frame) : view;
}

/** The view in a frame of another width: all of it where that can be read, else moved as little as it takes. */
export function keptView(picture: Size, frame: Size, now: View, focus: Box | undefined): View {
  if (scaleToFit(picture, frame) >= READABLE) return viewOf(picture, frame, focus);
  const zoom = Math.max(READABLE, now.zoom);
  const fits = picture.width * zoom <= frame.width - 2 * PAD;
  // About the middle of the frame: what was there stays there at another scale.
  const scaled = (at: number, length: number) => length / 2 - ((length / 2 - at) * zoom) / now.zoom;
  const x = fits ? (frame.width - picture.width * zoom) / 2 : scaled(now.x, frame.width);
  const view = { x, y: scaled(now.y, frame.height), zoom };
  return focus ? viewShowing(view, focus, frame) : view;
}
