type Segments = readonly { html: string }[]

/** The words of a rendered post, a line for each block. */
export function textOf(segments: Segments): string {
  return segments
    .map(({ html }) => html.replaceAll(/<br>|<\/(?:p|h\d|li|blockquote|pre|tr)>/g, '\n').replaceAll(/<[^<>]*>/g, ''))
    .join('\n')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => meant[name] ?? '')
    .replaceAll(/\n\s+/g, '\n')
    .trim()
}

/** Where the pictures of a rendered post lie. */
export function picturesIn(segments: Segments): string[] {
  return segments.flatMap(({ html }) => [...html.matchAll(/<img src="([^"]*)"/g)].map(([, src = '']) => src.replaceAll('&amp;', '&')))
}

const meant: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
