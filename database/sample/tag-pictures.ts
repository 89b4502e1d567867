import sharp from 'sharp'
import { colour } from './pictures/canvas.ts'

const side = 200
const white = '#fdfbf5'

/** Signs of some tags of the sample, by the key of the tag: a ground, and what stands on it. */
const signs: Readonly<Record<string, readonly [ground: string, sign: string]>> = {
  code: ['#33475b', line('M46 66L82 100L46 134M102 138H154')],
  tea: [colour.tea, cup(colour.teaLight)],
  brewing: [
    '#8a5a2b',
    `${solid('M100 30C128 68 142 90 142 114A42 42 0 0 1 58 114C58 90 72 68 100 30Z')}${line('M82 118A20 20 0 0 0 100 136', '#8a5a2b')}`,
  ],
  teaware: [
    '#4f7a74',
    `${solid('M62 84H138V112A38 38 0 0 1 62 112Z')}${line('M138 92Q166 90 160 60M62 92Q36 92 40 118Q44 130 66 128M78 74H122M100 74V58')}`,
  ],
  'tea-masters': [colour.gold, `${solid('M100 44C150 70 150 130 100 158C50 130 50 70 100 44Z')}${line('M100 70V158', colour.gold)}`],
  outside: ['#51708a', `<circle cx="146" cy="60" r="18" fill="${colour.goldLight}"/>${solid('M24 156L78 66L108 114L126 88L176 156Z')}`],
  pictures: [
    '#5b4a66',
    `${solid('M36 72H70L82 52H118L130 72H164V150H36Z')}<circle cx="100" cy="108" r="26" fill="#5b4a66"/><circle cx="100" cy="108" r="13" fill="${colour.goldLight}"/>`,
  ],
  kitchen: [
    colour.lantern,
    `${solid('M48 92H152V126A26 26 0 0 1 126 152H74A26 26 0 0 1 48 126Z')}${line('M28 100H48M152 100H172M78 72V52M100 72V46M122 72V52')}`,
  ],
  life: [
    '#7a5a48',
    `${solid('M100 60Q70 42 34 52V146Q70 136 100 154Q130 136 166 146V52Q130 42 100 60Z')}${line('M100 60V154', '#7a5a48')}`,
  ],
  house: [colour.teaDark, `${solid('M28 98Q66 84 100 46Q134 84 172 98V110H28Z')}${line('M54 112V152M146 112V152M88 152V122H112V152')}`],
}

export const taggedWithPictures = Object.keys(signs)

/** A small square, the same bytes every time. */
export function drawTagPicture(key: string): Promise<Buffer> {
  const [ground, sign] = signs[key] ?? [colour.inkSoft, '']
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 200 200"><rect width="200" height="200" fill="${ground}"/>${sign}</svg>`
  return sharp(Buffer.from(svg)).webp({ quality: 88 }).toBuffer()
}

function cup(steam: string): string {
  return `${solid('M44 86H140V108A48 42 0 0 1 44 108Z')}${line('M140 94Q168 94 162 116Q156 130 134 126M52 162H132')}${line('M78 68Q66 54 78 40M106 68Q94 54 106 40', steam)}`
}

function solid(path: string): string {
  return `<path d="${path}" fill="${white}"/>`
}

function line(path: string, tint = white): string {
  return `<path d="${path}" fill="none" stroke="${tint}" stroke-width="13" stroke-linecap="round" stroke-linejoin="round"/>`
}
