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
/** The longer side of what is kept. */
export const longestSide = 2560

/** The widths a picture may be asked for, beside its own: for avatars, for lists, and for posts. */
export const renditionWidths = [96, 240, 480, 960, 1440] as const
export const widthsInPosts = [480, 960, 1440] as const
export type RenditionWidth = (typeof renditionWidths)[number]
