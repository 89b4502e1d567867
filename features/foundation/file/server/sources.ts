import { grounds, longestWebp, widthsInPosts, type BackdropTone } from '#file/limits.ts'

type Picture = { src: string; width: number; height: number; moves: boolean }

/** The smaller renditions of a picture in the form of `srcset`; empty for a small picture. */
export function sourcesOf({ src, width, height, moves }: Picture): { srcset?: string; avif?: string } {
  // A picture beyond the height limit of WebP mostly has renditions beyond it, too.
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

export type PictureSource = { src: string; width: number; height: number; srcset?: string; avif?: string; ground?: BackdropTone }

export function pictureSource({ ground, ...its }: Picture & { ground: string | null }): PictureSource {
  const { src, width, height } = its
  const behind = grounds.find((one) => one === ground)
  return { src, width, height, ...sourcesOf(its), ...(behind && { ground: behind }) }
}
