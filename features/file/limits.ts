/** What a picture may be. Free of imports, so that pages which check before they send stay small. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const

/** No setting allows more; above it the connection itself refuses. */
export const largestPictureKilobytes = 20_000
export const mostMegapixels = 40
export const mostFrames = 200
/** The longer side of what is kept. */
export const longestSide = 2560

/** The widths a picture may be asked for, beside its own: for avatars, for lists, and for posts. */
export const renditionWidths = [96, 240, 480, 960, 1440] as const
export const widthsInPosts = [480, 960, 1440] as const
export type RenditionWidth = (typeof renditionWidths)[number]
