export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Of what people wrote; everything else stays as it is. */
export const textSizes = ['normal', 'large', 'larger'] as const
export type TextSize = (typeof textSizes)[number]
