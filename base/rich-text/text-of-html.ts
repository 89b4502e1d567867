type Segments = readonly { html: string }[]

/** The text of a rendered post, one line per block. */
export function textOf(segments: Segments): string {
  return segments
    .map(({ html }) => html.replaceAll(/<br>|<\/(?:p|h\d|li|blockquote|pre|tr)>/g, '\n').replaceAll(/<[^<>]*>/g, ''))
    .join('\n')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\n\s+/g, '\n')
    .trim()
}

/** The addresses of a rendered post's pictures. */
export function picturesIn(segments: Segments): string[] {
  return segments.flatMap(({ html }) => [...html.matchAll(/<img src="([^"]*)"/g)].map(([, src = '']) => src.replaceAll('&amp;', '&')))
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
