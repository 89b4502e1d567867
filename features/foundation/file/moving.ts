/** Whether a file's header declares animation: a WebP or AVIF sequence, or an animated PNG. */
export function isMoving(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, 8192))
  if (text.startsWith('RIFF')) return text.slice(12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) === 2
  if (text.slice(4, 8) === 'ftyp') return text.slice(8, 64).includes('avis')
  const data = text.indexOf('IDAT')
  const control = text.indexOf('acTL')
  return control >= 0 && (data < 0 || control < data)
}
