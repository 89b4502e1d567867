// Free of imports, so that pages which check before they send stay small.

/** What a picture may be; a setting names those that this site takes. */
export const pictureKinds = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const
export type PictureKind = (typeof pictureKinds)[number]
export const pictureNames: Record<PictureKind, string> = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP', gif: 'GIF', avif: 'AVIF' }

/** No setting allows more; above it the connection itself refuses. */
export const largestPictureKilobytes = 20_000
export const largestAttachmentKilobytes = 100_000
export const mostMegapixels = 40
export const mostFrames = 200
/** The longer side of what is kept, unless the shorter one would become less than so. */
const longestSide = 2560
const readableSide = 1440
/** As many as a long picture may have, which is made in some seconds and shown by any telephone. */
const mostKeptPixels = 16_000_000
/** No longer side is in any of the forms that pictures are kept in. */
const longestOfAll = 65_500
/** WebP holds no more. */
export const longestWebp = 16_383

type Size = { width: number; height: number }

/** The size in which a picture is kept. A long one keeps its width, so that what can be read in it still can. */
export function keptSize({ width, height }: Size): Size {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  const part = Math.min(
    1,
    Math.max(longestSide / longer, readableSide / shorter),
    Math.sqrt(mostKeptPixels / (width * height)),
    longestOfAll / longer,
  )
  return { width: Math.max(1, Math.round(width * part)), height: Math.max(1, Math.round(height * part)) }
}

/** What of a picture may not be kept: its size, that it moves, and more than eight bits of each colour. */
export const losses = ['size', 'motion', 'depth'] as const
export type Loss = (typeof losses)[number]

/** What must lie behind a picture that is clear in part, so that its shapes are seen: light in a dark theme, dark in a light one, or grey in both. */
export const grounds = ['light', 'dark', 'mid'] as const
export type BackdropTone = (typeof grounds)[number]

/** The widths a picture may be asked for, beside its own: for avatars, for lists, and for posts. */
export const renditionWidths = [96, 240, 480, 960, 1440] as const
export const widthsInPosts = [480, 960, 1440] as const
export type RenditionWidth = (typeof renditionWidths)[number]
