import { grounds, longestWebp, widthsInPosts, type BackdropTone } from '#file/limits.ts'

type Picture = { src: string; width: number; height: number; moves: boolean }

/** The smaller ones of a picture that a browser may choose among, as `srcset` has them; nothing where it is small already. */
export function sourcesOf({ src, width, height, moves }: Picture): { srcset?: string; avif?: string } {
  // Of what is too long for WebP so are most of the smaller ones.
  const smaller = height > longestWebp ? [] : widthsInPosts.filter((one) => one < width)
  if (smaller.length === 0) return {}
  const next = widthsInPosts.find((one) => one >= width)
  const webp = smaller.map((one) => `${src}?w=${one} ${one}w`)
  const avif = smaller.map((one) => `${src}?w=${one}&as=avif ${one}w`)
  return {
    srcset: [...webp, ...(next ? [`${src} ${width}w`] : [])].join(', '),
    ...(!moves && { avif: [...avif, ...(next ? [`${src}?w=${next}&as=avif ${width}w`] : [])].join(', ') }),
  }
}

/** A picture as it is shown, with the smaller ones that a browser may choose among. */
export type PictureSource = { src: string; width: number; height: number; srcset?: string; avif?: string; ground?: BackdropTone }

export function shownAs({ ground, ...its }: Picture & { ground: string | null }): PictureSource {
  const { src, width, height } = its
  const behind = grounds.find((one) => one === ground)
  return { src, width, height, ...sourcesOf(its), ...(behind && { ground: behind }) }
}
