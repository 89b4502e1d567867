/** A picture of the forum's own branding: its file and size. */
export type LookPicture = { file: string; width: number; height: number }

/** The icon's sizes in pixels, for tabs, home screens and large views. */
export const iconSides = [32, 180, 192, 512] as const
/** The size used on the home screens of phones. */
export const touchSide = 180
export type IconSide = (typeof iconSides)[number]

// A new file has a new address, so that caches need no revalidation.
export function logoSrc({ file }: LookPicture): string {
  return `/look/${file}.webp`
}

export function iconSrc({ file }: LookPicture, side: IconSide): string {
  return `/look/${file}.${side}.png`
}

/** The icon links of a page: the site's own icon, or the default one. */
export function iconLinks(icon: LookPicture | null): string[] {
  if (!icon) return ['<link rel="icon" href="/favicon.svg" type="image/svg+xml">', '<link rel="apple-touch-icon" href="/touch-icon.png">']
  return iconSides.map((side) =>
    side === touchSide
      ? `<link rel="apple-touch-icon" href="${iconSrc(icon, side)}">`
      : `<link rel="icon" href="${iconSrc(icon, side)}" sizes="${side}x${side}" type="image/png">`,
  )
}
