// Free of imports, so that pages which validate before upload stay small.

/** The supported formats of pictures; a setting selects those that the site accepts. */
export const pictureKinds = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const
export type PictureKind = (typeof pictureKinds)[number]
export const pictureNames: Record<PictureKind, string> = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP', gif: 'GIF', avif: 'AVIF' }

/** The upper bound of the setting; the connection refuses larger ones. */
export const largestPictureKilobytes = 20_000
export const largestAttachmentKilobytes = 100_000
export const maxMegapixels = 40
export const maxFrames = 200
/** The longer side of a stored picture, unless the shorter one would fall below this. */
const longestSide = 2560
const readableSide = 1440
/** The most pixels of a long picture: encoded in some seconds and displayed by any phone. */
const maxStoredPixels = 16_000_000
/** The longest side in any stored format. */
const longestSideOfAny = 65_500
/** The limit of WebP. */
export const longestWebp = 16_383

type Size = { width: number; height: number }

/** The size in which a picture is stored. A long one keeps its width, so that text in it stays legible. */
export function storedSize({ width, height }: Size): Size {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  const part = Math.min(
    1,
    Math.max(longestSide / longer, readableSide / shorter),
    Math.sqrt(maxStoredPixels / (width * height)),
    longestSideOfAny / longer,
  )
  return { width: Math.max(1, Math.round(width * part)), height: Math.max(1, Math.round(height * part)) }
}

/** The properties of a picture that may be lost: size, animation, and a depth above eight bits. */
export const losses = ['size', 'motion', 'depth'] as const
export type Loss = (typeof losses)[number]

/** The background that makes a partly transparent picture recognisable: light in the dark theme, dark in the light one, or grey in both. */
export const grounds = ['light', 'dark', 'mid'] as const
export type BackdropTone = (typeof grounds)[number]

/** The widths of renditions: for avatars, lists and posts. */
export const renditionWidths = [96, 240, 480, 960, 1440] as const
export const widthsInPosts = [480, 960, 1440] as const
export type RenditionWidth = (typeof renditionWidths)[number]
