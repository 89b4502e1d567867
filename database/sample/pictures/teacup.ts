import { blur, canvas, chance, downward, many, n, outward, sideways } from './canvas.ts'

const width = 1200
const height = 900

/** A celadon cup of oolong by a window, steam rising. */
export function teacup(): string {
  const defs = [
    downward('wall', [0, '#e9e2d3'], [0.7, '#d8cdb8'], [1, '#c3b497']),
    outward('glow', [0, '#fffaf0', 0.95], [1, '#fffaf0', 0]),
    downward('table', [0, '#7a5638'], [0.4, '#5f4029'], [1, '#3c2717']),
    sideways('glaze', [0, '#6f9c88'], [0.22, '#a9cbb9'], [0.42, '#d3e6da'], [0.7, '#86b09b'], [1, '#4d7a66']),
    sideways('inside', [0, '#5f8d79'], [0.5, '#8fb7a3'], [1, '#c4dccf']),
    outward('tea', [0, '#e0a548'], [0.65, '#c07f28'], [1, '#8a5213']),
    sideways('saucer', [0, '#88ad9b'], [0.4, '#d5e6dc'], [1, '#557f6c']),
    blur('steam', 13),
    blur('shadow', 22),
    blur('fine', 3),
  ].join('')
  return canvas(
    { width, height, defs },
    `<rect width="${width}" height="${height}" fill="url(#wall)"/><ellipse cx="330" cy="220" rx="620" ry="430" fill="url(#glow)"/>`,
    windowLight(),
    `<rect y="590" width="${width}" height="310" fill="url(#table)"/><rect y="590" width="${width}" height="3" fill="#b08a5f" opacity=".7"/>`,
    woodGrain(),
    `<ellipse cx="690" cy="778" rx="370" ry="62" fill="#160c05" opacity=".7" filter="url(#shadow)"/>`,
    saucer(),
    cup(),
    steam(),
    leaves(),
  )
}

function windowLight(): string {
  const pane = (x: number, y: number) => `<path d="M${x} ${y}l132 -26v196l-132 26z" fill="#fffdf4" opacity=".36"/>`
  return `<g filter="url(#fine)">${pane(150, 120)}${pane(300, 90)}${pane(150, 334)}${pane(300, 304)}</g>`
}

function woodGrain(): string {
  const random = chance(3)
  return many(46, () => {
    const y = 600 + random() * 300
    const x = random() * 900 - 100
    return `<path d="M${n(x)} ${n(y)}q${n(150 + random() * 200)} ${n(random() * 14 - 7)} ${n(350 + random() * 300)} ${n(random() * 6 - 3)}" fill="none" stroke="${random() > 0.5 ? '#2a190d' : '#a27a50'}" stroke-opacity=".22" stroke-width="${n(1 + random() * 2)}"/>`
  })
}

function saucer(): string {
  return `<ellipse cx="610" cy="760" rx="300" ry="60" fill="#3b6553"/><ellipse cx="610" cy="752" rx="300" ry="58" fill="url(#saucer)"/>
<ellipse cx="610" cy="750" rx="196" ry="34" fill="#5e8a76" opacity=".55"/><path d="M330 740a290 50 0 0 1 250 -42" fill="none" stroke="#f3faf5" stroke-width="5" stroke-linecap="round" opacity=".75" filter="url(#fine)"/>`
}

function cup(): string {
  return `<path d="M520 726h180l-14 30q-76 14 -152 0z" fill="#4f7c68"/>
<path d="M386 470C396 610 468 706 544 736Q610 748 676 736C752 706 824 610 834 470Z" fill="url(#glaze)"/>
<path d="M386 470C396 610 468 706 544 736Q610 748 676 736C752 706 824 610 834 470Z" fill="url(#tea)" opacity=".08"/>
<path d="M424 520C440 610 486 672 530 700" fill="none" stroke="#fff" stroke-width="17" stroke-linecap="round" opacity=".42" filter="url(#fine)"/>
<ellipse cx="610" cy="470" rx="224" ry="56" fill="#dbe9e0"/><ellipse cx="610" cy="472" rx="211" ry="49" fill="url(#inside)"/>
<ellipse cx="610" cy="484" rx="194" ry="37" fill="url(#tea)"/>
<path d="M450 478a170 26 0 0 1 150 -26" fill="none" stroke="#ffe9b8" stroke-width="5" stroke-linecap="round" opacity=".8" filter="url(#fine)"/>`
}

function steam(): string {
  const wisp = (x: number, lean: number, tall: number, opacity: number, thick: number) =>
    `<path d="M${x} 462C${x - 60} ${462 - tall * 0.3} ${x + 80 + lean} ${462 - tall * 0.5} ${x + lean} ${462 - tall * 0.72}S${x + lean * 2 + 40} ${462 - tall} ${x + lean * 2} ${462 - tall * 1.1}" fill="none" stroke="#fff" stroke-width="${thick}" stroke-linecap="round" opacity="${opacity}"/>`
  return `<g filter="url(#steam)">${wisp(560, -20, 330, 0.75, 26)}${wisp(640, 26, 380, 0.7, 32)}${wisp(610, 4, 260, 0.55, 44)}</g>`
}

function leaves(): string {
  const random = chance(19)
  return many(17, () => {
    const spot = `translate(${n(90 + random() * 230)} ${n(740 + random() * 95)}) rotate(${n(random() * 70 - 35)})`
    const long = 34 + random() * 30
    const bend = random() * 26 - 13
    const strip = `M${n(-long / 2)} 0q${n(long / 4)} ${n(bend)} ${n(long / 2)} 1q${n(long / 4)} ${n(-bend * 0.7)} ${n(long / 2)} -2`
    return `<g transform="${spot}" fill="none" stroke-linecap="round"><path d="${strip}" transform="translate(3 6)" stroke="#0c0704" stroke-opacity=".45" stroke-width="8"/><path d="${strip}" stroke="${random() > 0.5 ? '#2c3a2c' : '#40382a'}" stroke-width="7"/><path d="${strip}" transform="translate(0 -1.8)" stroke="#8d9572" stroke-opacity=".55" stroke-width="1.6"/></g>`
  })
}
