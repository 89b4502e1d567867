export const colour = {
  tea: '#2f6f4f',
  teaDark: '#1d4633',
  teaLight: '#7fae8f',
  paper: '#fbfaf7',
  line: '#e2ddd2',
  ink: '#1d2125',
  inkSoft: '#6b7480',
  lantern: '#c23b2e',
  gold: '#a9741b',
  goldLight: '#e3b968',
}

type Canvas = { width: number; height: number; defs?: string; grain?: number }

/** An SVG of that size, under a fine grain so that gradients do not look printed. */
export function canvas({ width, height, defs = '', grain = 0.05 }: Canvas, ...layers: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs>${defs}<filter id="speckle" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".85" numOctaves="2" seed="7" stitchTiles="stitch"/>
<feColorMatrix values="0 0 0 0 .5  0 0 0 0 .47  0 0 0 0 .42  0 0 0 ${grain * 8} ${-grain * 2.6}"/></filter>
<pattern id="grain" width="300" height="300" patternUnits="userSpaceOnUse"><rect width="300" height="300" filter="url(#speckle)"/></pattern></defs>
${layers.join('\n')}
<rect width="${width}" height="${height}" fill="url(#grain)"/></svg>`
}

export type Stop = [offset: number, colour: string, opacity?: number]

export function downward(id: string, ...stops: Stop[]): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops.map(stop).join('')}</linearGradient>`
}

export function sideways(id: string, ...stops: Stop[]): string {
  return `<linearGradient id="${id}">${stops.map(stop).join('')}</linearGradient>`
}

export function outward(id: string, ...stops: Stop[]): string {
  return `<radialGradient id="${id}">${stops.map(stop).join('')}</radialGradient>`
}

export function blur(id: string, amount: number): string {
  return `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${amount}"/></filter>`
}

function stop([offset, tint, opacity = 1]: Stop): string {
  return `<stop offset="${offset}" stop-color="${tint}" stop-opacity="${opacity}"/>`
}

/** Numbers from 0 to 1 that look random and are the same on every run. */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function many(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('')
}

/** Rounds to a tenth, which no eye can tell and which keeps the text short. */
export function n(value: number): string {
  return String(Math.round(value * 10) / 10)
}

// Strokes on a grid 4 wide and 6 high.
const strokes: Record<string, string> = {
  '0': 'M2 0C0 0 0 1.6 0 3S0 6 2 6S4 4.4 4 3S4 0 2 0',
  '1': 'M.6 1.2L2.2 0V6',
  '2': 'M.2 1.6C.2-.4 3.8-.6 3.8 1.6C3.8 3 1.6 4 .2 6H4',
  '3': 'M.3.9C1.2-.5 3.8-.2 3.8 1.5C3.8 2.6 2.8 2.9 1.6 2.9C3 2.9 4 3.3 4 4.4C4 6.4 1 6.6 .1 5.1',
  '4': 'M3 6V0L0 4.2H4',
  '5': 'M3.6 0H.8L.4 2.7C1.4 1.9 4 2 4 4C4 6.2 1.1 6.6 .1 5.1',
  '6': 'M3.4.3C1.2.3 0 2.2 0 4C0 6.6 4 6.7 4 4.1C4 1.9 .9 1.7 .1 3.6',
  '7': 'M0 0H4L1.5 6',
  '8': 'M2 2.8C-.3 2.8-.3 0 2 0S4.3 2.8 2 2.8C-.7 2.8-.7 6 2 6S4.7 2.8 2 2.8',
  '9': 'M.6 5.7C2.8 5.7 4 3.8 4 2C4-.6 0-.7 0 1.9C0 4.1 3.1 4.3 3.9 2.4',
  '.': 'M.9 5.9V6',
  s: 'M2.8 2.7C2 1.9 .3 2 .3 3.1C.3 4.3 2.9 3.7 2.9 5C2.9 6.2 .9 6.2 0 5.3',
  m: 'M0 6V2.3M0 3.5C.4 1.9 2 1.9 2 3.5V6M2 3.5C2.4 1.9 4 1.9 4 3.5V6',
  k: 'M.2 0V6M3 2.3L.2 4.6M1.3 3.7L3.2 6',
  g: 'M3.2 2.3V6.2C3.2 7.9 .8 8 .3 6.9M3.2 3.9C3.2 1.8 .1 1.8 .1 4S3.2 6.2 3.2 4',
}
const widths: Record<string, number> = { '.': 1.8, s: 3, k: 3.2, g: 3.4, ' ': 2 }

type Figures = { x: number; y: number; size: number; tint: string; weight?: number; align?: 'start' | 'middle' | 'end' }

/** Writes figures and units with their top at y. */
export function figures(text: string, { x, y, size, tint, weight = 0.62, align = 'start' }: Figures): string {
  const unit = size / 6
  const advance = [...text].map((letter) => (widths[letter] ?? 4) + 1.5)
  const total = advance.reduce((sum, width) => sum + width, -1.5) * unit
  let pen = x - (align === 'end' ? total : align === 'middle' ? total / 2 : 0)
  const paths = [...text].map((letter, index) => {
    const path = `<path transform="translate(${n(pen)} ${n(y)}) scale(${unit.toFixed(2)})" d="${strokes[letter] ?? ''}"/>`
    pen += (advance[index] ?? 0) * unit
    return path
  })
  return `<g fill="none" stroke="${tint}" stroke-width="${weight}" stroke-linecap="round" stroke-linejoin="round">${paths.join('')}</g>`
}
