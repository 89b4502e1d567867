/** A picture of the forum's own branding: its file and size. */
export type BrandPicture = { file: string; width: number; height: number }

/** The icon's sizes in pixels, for tabs, home screens and large views. */
export const iconSizes = [32, 180, 192, 512] as const
/** The size used on the home screens of phones. */
export const touchIconSize = 180
/** The icon on a ground of its own, for home screens that cut every icon to one shape. */
export const iconForms = [...iconSizes, 'maskable'] as const
export type IconForm = (typeof iconForms)[number]
export const maskableSize = 512

// A new file has a new address, so that caches need no revalidation.
export function logoSrc({ file }: BrandPicture): string {
  return `/look/${file}.webp`
}

export function iconSrc({ file }: BrandPicture, form: IconForm): string {
  return `/look/${file}.${form}.png`
}

/** The icon links of a page: the site's own icon, or the default one. */
export function iconLinks(icon: BrandPicture | null): string[] {
  if (!icon) return ['<link rel="icon" href="/favicon.svg" type="image/svg+xml">', '<link rel="apple-touch-icon" href="/touch-icon.png">']
  return iconSizes.map((side) =>
    side === touchIconSize
      ? `<link rel="apple-touch-icon" href="${iconSrc(icon, side)}">`
      : `<link rel="icon" href="${iconSrc(icon, side)}" sizes="${side}x${side}" type="image/png">`,
  )
}
