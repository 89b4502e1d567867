import { widthsInPosts } from '#file/limits.ts'

type Picture = { src: string; width: number; moves: boolean }

/** The smaller ones of a picture that a browser may choose among, as `srcset` has them; nothing where it is small already. */
export function sourcesOf({ src, width, moves }: Picture): { srcset?: string; avif?: string } {
  const smaller = widthsInPosts.filter((one) => one < width)
  if (smaller.length === 0) return {}
  const next = widthsInPosts.find((one) => one >= width)
  const webp = smaller.map((one) => `${src}?w=${one} ${one}w`)
  const avif = smaller.map((one) => `${src}?w=${one}&as=avif ${one}w`)
  return {
    srcset: [...webp, ...(next ? [`${src} ${width}w`] : [])].join(', '),
    ...(!moves && { avif: [...avif, ...(next ? [`${src}?w=${next}&as=avif ${width}w`] : [])].join(', ') }),
  }
}
