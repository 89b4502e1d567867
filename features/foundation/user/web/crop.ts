/** A square part of a picture, in pixels of the picture. */
export type Crop = { x: number; y: number; side: number }
type Size = { width: number; height: number }

/** A smaller part would make a blurred avatar. */
const minSide = 64

export function largestSquare({ width, height }: Size): Crop {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

/** Moves the part by so many pixels of the picture, as far as the edge. */
export function moved(crop: Crop, by: { x: number; y: number }, picture: Size): Crop {
  return within({ ...crop, x: crop.x + by.x, y: crop.y + by.y }, picture)
}

/** The maximum zoom: 1 shows as much as possible. */
export function maxZoom(picture: Size): number {
  return Math.max(1, Math.min(picture.width, picture.height) / minSide)
}

export function zoomOf(crop: Crop, picture: Size): number {
  return Math.min(picture.width, picture.height) / crop.side
}

/** Zooms in or out around the middle, as far as the edges allow. */
export function zoomed(crop: Crop, to: number, picture: Size): Crop {
  const side = Math.min(picture.width, picture.height) / Math.min(Math.max(to, 1), maxZoom(picture))
  const half = (crop.side - side) / 2
  return within({ x: crop.x + half, y: crop.y + half, side }, picture)
}

// The pixels of each unit of a wheel event: pixels, lines or pages. A notch of a mouse's wheel is 100 pixels, or three lines.
const pixelsPerUnit = [1, 33, 280]

/** The zoom factor of a wheel event. A pinch on a trackpad arrives as a wheel event with the key Ctrl, by fewer pixels. */
export function zoomFactor({ deltaY, deltaMode, ctrlKey }: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
  return Math.exp((-deltaY * (pixelsPerUnit[deltaMode] ?? 1)) / (ctrlKey ? 100 : 400))
}

/** Rounded to whole pixels within the picture. */
export function inPixels({ x, y, side }: Crop, { width, height }: Size): { x: number; y: number; width: number; height: number } {
  const whole = Math.max(1, Math.floor(side))
  return { x: clamp(Math.round(x), width - whole), y: clamp(Math.round(y), height - whole), width: whole, height: whole }
}

function within({ x, y, side }: Crop, { width, height }: Size): Crop {
  return { side, x: clamp(x, width - side), y: clamp(y, height - side) }
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}
