/** A picture that the forum shows of itself: the file, and how large it is. */
export type LookPicture = { file: string; width: number; height: number }

/** The sides of the icon: on tabs, on the home screens of telephones, and where programs show it large. */
export const iconSides = [32, 180, 192, 512] as const
/** The one that telephones put on their home screens. */
export const touchSide = 180
export type IconSide = (typeof iconSides)[number]

// Each file has an address of its own, so that whoever keeps what lies there need not ask again.
export function logoSrc({ file }: LookPicture): string {
  return `/look/${file}.webp`
}

export function iconSrc({ file }: LookPicture, side: IconSide): string {
  return `/look/${file}.${side}.png`
}

/** What a page says of its icon: the site's own, or the house's. */
export function iconLinks(icon: LookPicture | null): string[] {
  if (!icon) return ['<link rel="icon" href="/favicon.svg" type="image/svg+xml">', '<link rel="apple-touch-icon" href="/touch-icon.png">']
  return iconSides.map((side) =>
    side === touchSide
      ? `<link rel="apple-touch-icon" href="${iconSrc(icon, side)}">`
      : `<link rel="icon" href="${iconSrc(icon, side)}" sizes="${side}x${side}" type="image/png">`,
  )
}
