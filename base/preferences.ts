export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The text size of posts; everything else is unaffected. */
export const textSizes = ['normal', 'large', 'larger'] as const
export type TextSize = (typeof textSizes)[number]
