import { blur, canvas, chance, colour, downward, figures, many, n, outward } from './canvas.ts'

const width = 900
const height = 1125

/** A recipe card for tomato and egg on a checked cloth, the weights written beside the drawings. */
export function recipeCard(): string {
  const defs = [
    downward('card', [0, '#fffdf7'], [1, '#f5eedd']),
    outward('tomato', [0, '#ef7d61'], [0.7, '#cf4632'], [1, '#9d2a1d']),
    outward('egg', [0, '#fdf1df'], [0.75, '#efd3ad'], [1, '#d5ac7c']),
    downward('bowl', [0, '#3f8763'], [1, '#1f4f38']),
    blur('shadow', 18),
  ].join('')
  return canvas(
    { width, height, defs },
    cloth(),
    `<g transform="rotate(-2.2 450 560)"><rect x="98" y="112" width="716" height="916" rx="14" fill="#2a1d10" opacity=".5" filter="url(#shadow)"/>
<rect x="90" y="96" width="716" height="916" rx="14" fill="url(#card)"/><rect x="112" y="118" width="672" height="872" rx="8" fill="none" stroke="${colour.tea}" stroke-opacity=".45" stroke-width="2"/>
${heading()}${ingredients()}${steps()}</g>`,
    chopsticks(),
  )
}

function cloth(): string {
  const across = many(12, (index) => `<rect x="${index * 90}" width="45" height="${height}" fill="#5d8f78" opacity=".38"/>`)
  const down = many(14, (index) => `<rect y="${index * 90}" width="${width}" height="45" fill="#5d8f78" opacity=".38"/>`)
  return `<rect width="${width}" height="${height}" fill="#dfe8df"/>${across}${down}`
}

function heading(): string {
  const steam = many(
    3,
    (index) =>
      `<path d="M${404 + index * 46} 186c-14 -18 14 -24 0 -44" fill="none" stroke="${colour.inkSoft}" stroke-width="4" stroke-linecap="round" opacity=".5"/>`,
  )
  return `${steam}<ellipse cx="450" cy="216" rx="128" ry="26" fill="#1b4733"/><ellipse cx="450" cy="213" rx="116" ry="20" fill="#d9553f"/>
<path d="M360 212q30 -16 62 -4q30 -12 52 2q32 -10 62 4q-40 18 -88 18t-88 -20" fill="#f3c65b"/><path d="M418 206l12 -4M470 214l13 3M500 205l12 4M442 218l12 -3" stroke="#4d9270" stroke-width="5" stroke-linecap="round"/>
<path d="M322 216q8 86 88 100h80q80 -14 88 -100q-60 28 -128 28t-128 -28" fill="url(#bowl)"/><path d="M350 262q100 34 200 0" stroke="${colour.goldLight}" stroke-width="4" fill="none" opacity=".8"/>
<path d="M160 368H740" stroke="${colour.gold}" stroke-width="2" stroke-dasharray="2 9" stroke-linecap="round"/>`
}

function ingredients(): string {
  const label = (text: string, x: number) => figures(text, { x, y: 566, size: 30, tint: colour.ink, weight: 0.66, align: 'middle' })
  return `<g><circle cx="236" cy="470" r="62" fill="url(#tomato)"/><path d="M236 418q-26 -16 -36 -4q20 4 22 14q-10 6 -12 16q16 -10 26 -10q10 4 22 12q0 -12 -10 -18q10 -8 24 -8q-12 -14 -36 -2q0 -12 8 -18l-8 -4q-4 10 0 22" fill="#3f8763"/><path d="M196 456q6 -24 28 -30" fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round" opacity=".5"/></g>
${label('2', 236)}<g><ellipse cx="412" cy="474" rx="42" ry="54" fill="url(#egg)"/><ellipse cx="470" cy="490" rx="40" ry="48" fill="url(#egg)" transform="rotate(24 470 490)"/></g>${label('3', 440)}
<g stroke-linecap="round" fill="none"><path d="M606 534L668 424" stroke="#f1efe0" stroke-width="15"/><path d="M630 492L690 404M640 480L712 424M634 486L664 396" stroke="#4d9270" stroke-width="11"/><path d="M626 536L676 450" stroke="#b9cfa3" stroke-width="11"/></g>${label('10 g', 658)}`
}

// The words are waves of ink: the card is looked at, the recipe stands in the post.
function steps(): string {
  const random = chance(29)
  return many(4, (step) => {
    const y = 660 + step * 82
    const lines = many(2, (line) => {
      const end = line ? 430 + random() * 200 : 690 + random() * 46
      return scribble(random, 226, end, y + line * 30)
    })
    return `<circle cx="178" cy="${y + 8}" r="22" fill="${step === 3 ? colour.lantern : colour.tea}"/>${figures(String(step + 1), { x: 178, y: y - 2, size: 20, tint: '#fff', weight: 0.85, align: 'middle' })}${lines}`
  })
}

function scribble(random: () => number, from: number, to: number, y: number): string {
  let path = ''
  let x = from
  while (x < to) {
    const letters = 3 + Math.floor(random() * 6)
    path += `M${n(x)} ${n(y + random() * 3)}`
    for (let letter = 0; letter < letters && x < to; letter++) {
      const step = 7 + random() * 5
      path += `q${n(step / 2)} ${n(-10 - random() * 9)} ${n(step)} ${n(random() * 4 - 2)}`
      x += step
    }
    x += 13
  }
  return `<path d="${path}" fill="none" stroke="#44505a" stroke-width="2.6" stroke-linecap="round" opacity=".75"/>`
}

function chopsticks(): string {
  const stick = (x: number) =>
    `<path d="M${x} 300L${x + 22} 1080l14 0L${x + 8} 300z" fill="#2a1d10" opacity=".3" transform="translate(9 9)"/><path d="M${x} 300L${x + 20} 1080l15 0L${x + 9} 300z" fill="#8a5a2c"/><path d="M${x + 19} 1000l1.8 80h15l-2.6 -80z" fill="${colour.lantern}"/>`
  return stick(826) + stick(852)
}
