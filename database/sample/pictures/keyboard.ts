import { blur, canvas, chance, colour, downward, many, n, outward } from './canvas.ts'

const width = 1200
const height = 675
const unit = 62
const left = 108
const top = 150

// Key widths of a 65% layout, row by row; a letter tells the cap: g gold, t tea, r red, otherwise paper.
const rows = [
  ['1g', ...keys(12), '2t', '1t'],
  ['1.5t', ...keys(12), '1.5t', '1t'],
  ['1.75t', ...keys(11), '2.25r', '1t'],
  ['2.25t', ...keys(10), '1.75t', '1t', '1t'],
  ['1.25t', '1.25t', '1.25t', '6.25', '1t', '1t', '1t', '1t', '1t', '1t'],
]
const caps: Record<string, [light: string, dark: string]> = {
  g: ['#d9aa55', '#8d5f12'],
  t: ['#4d9270', '#1f4f38'],
  r: ['#dc6353', '#8e261b'],
  p: ['#f7f3e9', '#c6bda8'],
}

/** A small keyboard with paper, tea and lantern caps on a dark desk. */
export function keyboard(): string {
  const defs = [
    downward('desk', [0, '#3a4148'], [1, '#22272c']),
    outward('lamp', [0, '#ffe6b5', 0.42], [1, '#ffe6b5', 0]),
    downward('case', [0, '#efe9db'], [0.06, '#d8cfbb'], [1, '#b9ae95']),
    blur('shadow', 26),
    blur('sheen', 2),
    ...Object.entries(caps).map(([key, [light, dark]]) => downward(`cap-${key}`, [0, light], [1, mix(light, dark)])),
  ].join('')
  return canvas(
    { width, height, defs },
    `<rect width="${width}" height="${height}" fill="url(#desk)"/>`,
    mat(),
    `<circle cx="180" cy="20" r="720" fill="url(#lamp)"/>`,
    `<path d="M600 ${top - 34}C600 40 700 60 720 -10" fill="none" stroke="#15181b" stroke-width="15"/><path d="M600 ${top - 34}C600 40 700 60 720 -10" fill="none" stroke="${colour.lantern}" stroke-width="9" stroke-dasharray="5 3"/>`,
    `<rect x="${left - 20}" y="${top - 8}" width="${16 * unit + 44}" height="${5 * unit + 60}" rx="24" fill="#000" opacity=".6" filter="url(#shadow)"/>`,
    `<rect x="${left - 26}" y="${top - 34}" width="${16 * unit + 52}" height="${5 * unit + 64}" rx="22" fill="url(#case)"/>`,
    `<rect x="${left - 8}" y="${top - 14}" width="${16 * unit + 16}" height="${5 * unit + 24}" rx="10" fill="#2b2620"/>`,
    rows.map(drawRow).join(''),
  )
}

function keys(count: number): string[] {
  return Array.from({ length: count }, () => '1')
}

function mix(light: string, dark: string): string {
  const part = (text: string, at: number) => Number.parseInt(text.slice(at, at + 2), 16)
  const channels = [1, 3, 5].map((at) => Math.round(part(light, at) * 0.82 + part(dark, at) * 0.18))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function mat(): string {
  const random = chance(8)
  return many(70, () => {
    const y = random() * height
    return `<path d="M0 ${n(y)}h${width}" stroke="#fff" stroke-opacity="${n(random() * 0.03 + 0.01)}0" stroke-width="1"/>`
  })
}

function drawRow(row: string[], index: number): string {
  let x = left
  return row
    .map((key) => {
      const span = Number.parseFloat(key)
      const cap = drawCap(x, top + index * unit, span * unit, /[gtr]$/.exec(key)?.[0] ?? 'p')
      x += span * unit
      return cap
    })
    .join('')
}

// A cap is its skirt, darker, and a dished top set higher, with one soft line of light.
function drawCap(x: number, y: number, wide: number, cap: string): string {
  const dark = caps[cap]?.[1] ?? colour.ink
  return `<rect x="${n(x + 2)}" y="${n(y + 2)}" width="${n(wide - 4)}" height="${unit - 4}" rx="8" fill="${dark}"/>
<rect x="${n(x + 8)}" y="${n(y + 4)}" width="${n(wide - 16)}" height="${unit - 18}" rx="9" fill="url(#cap-${cap})"/>
<path d="M${n(x + 15)} ${n(y + 8)}h${n(wide - 30)}" stroke="#fff" stroke-opacity=".5" stroke-width="2.4" stroke-linecap="round" filter="url(#sheen)"/>
<circle cx="${n(x + 20)}" cy="${n(y + 19)}" r="2.6" fill="${cap === 'p' ? '#5b564b' : '#fff'}" opacity=".65"/>`
}
