import { blur, canvas, chance, colour, downward, many, n, outward } from './canvas.ts'

const width = 1200
const height = 800

/** Rain on a window in the evening, the street out of focus behind it. */
export function rainWindow(): string {
  const defs = [
    downward('dusk', [0, '#22384a'], [0.5, '#35525a'], [0.75, '#3b4a4a'], [1, '#1b2526']),
    outward('drop', [0, '#fff', 0.05], [0.7, '#dfeef0', 0.16], [1, '#0d1a1e', 0.5]),
    downward('frame', [0, '#2c231b'], [1, '#16100b']),
    `<linearGradient id="trail" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="${height}"><stop offset=".05" stop-color="#e9f4f2" stop-opacity=".02"/><stop offset=".8" stop-color="#e9f4f2" stop-opacity=".2"/></linearGradient>`,
    blur('far', 26),
    blur('near', 3),
  ].join('')
  return canvas(
    { width, height, defs },
    `<rect width="${width}" height="${height}" fill="url(#dusk)"/>`,
    street(),
    lights(),
    streaks(),
    drops(41, 420, 1.2, 3.6),
    drops(77, 85, 5, 13),
    frame(),
  )
}

function street(): string {
  return `<g filter="url(#far)"><path d="M0 300L210 250V800H0ZM930 210L1200 280V800H930Z" fill="#12242c"/><path d="M210 420h720v380H210Z" fill="#2b4148"/><path d="M440 800L560 470h90L830 800Z" fill="#c98f4e" opacity=".35"/></g>`
}

// Lights out of focus are flat discs with a slightly brighter rim.
function lights(): string {
  const random = chance(15)
  const tints = [colour.goldLight, '#ffcf87', '#e8604f', '#ffdfae', '#8fd0b1', '#f0a25e']
  const discs = many(44, () => {
    const x = n(70 + random() * (width - 140))
    const y = n(250 + random() * random() * 460)
    const size = n(16 + random() * 42)
    const tint = tints[Math.floor(random() * tints.length)] ?? colour.gold
    const bright = n(0.2 + random() * 0.4)
    return `<circle cx="${x}" cy="${y}" r="${size}" fill="${tint}" opacity="${bright}"/><circle cx="${x}" cy="${y}" r="${size}" fill="none" stroke="${tint}" stroke-width="3" opacity="${bright}"/>`
  })
  return `<g filter="url(#near)">${discs}</g>`
}

// What a running drop leaves behind: a thin wandering trail that fades upwards, broken into beads.
function streaks(): string {
  const random = chance(9)
  return many(17, () => {
    const x = 50 + random() * (width - 100)
    const y = 30 + random() * 260
    const long = 120 + random() * 360
    const size = 6 + random() * 4
    const side = () => n(random() * 22 - 11)
    const trail = `M${n(x)} ${n(y)}c${side()} ${n(long * 0.16)} ${side()} ${n(long * 0.3)} 0 ${n(long * 0.5)}s${side()} ${n(long * 0.34)} 0 ${n(long * 0.5)}`
    const beads = many(7, (bead) => drop(x + random() * 8 - 4, y + long * (bead / 8) ** 1.3, 0.8 + random() * 1.8))
    return `<path d="${trail}" fill="none" stroke="url(#trail)" stroke-width="${n(size * 1.1)}" stroke-linecap="round"/>${beads}${drop(x, y + long, size)}`
  })
}

function drops(seed: number, count: number, least: number, most: number): string {
  const random = chance(seed)
  return many(count, () => drop(random() * width, random() * height, least + random() ** 2 * (most - least)))
}

// A drop turns the view upside down: dark at its top, the sky's light gathered at the foot.
function drop(x: number, y: number, size: number): string {
  const tall = size * 1.18
  const glint =
    size > 3
      ? `<ellipse cx="${n(x - size * 0.32)}" cy="${n(y - tall * 0.4)}" rx="${n(size * 0.2)}" ry="${n(size * 0.26)}" fill="#fff" opacity=".85"/>`
      : ''
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(size)}" ry="${n(tall)}" fill="url(#drop)"/><path d="M${n(x - size * 0.7)} ${n(y + tall * 0.45)}q${n(size * 0.7)} ${n(size * 0.8)} ${n(size * 1.4)} 0" fill="none" stroke="#fff4da" stroke-opacity=".6" stroke-width="${n(Math.max(0.7, size * 0.18))}" stroke-linecap="round"/>${glint}`
}

function frame(): string {
  return `<path d="M0 0H${width}V${height}H0ZM26 26V720H586V26ZM614 26V720H1174V26Z" fill="url(#frame)" fill-rule="evenodd"/><rect y="720" width="${width}" height="10" fill="#5b4631"/>
<path d="M906 660h78v46q0 18 -18 18h-42q-18 0 -18 -18z" fill="#e4dac6"/><path d="M962 660h22v46q0 18 -18 18h-10q8 -30 6 -64" fill="#8b7d64" opacity=".4"/><path d="M983 672q34 0 30 22q-6 18 -30 14" fill="none" stroke="#e4dac6" stroke-width="9"/><path d="M906 684h78v8h-78z" fill="${colour.tea}"/>`
}
