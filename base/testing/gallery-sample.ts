import type { Block, Cell, Doc, Inline } from '#base/rich-text/document.ts'

const text = (text: string): Inline => ({ type: 'text', text })
const paragraph = (...content: Inline[]): Block => ({ type: 'paragraph', content })
const cell = (type: Cell['type'], words: string): Cell => ({
  type,
  attrs: { align: null },
  content: [{ type: 'paragraph', content: [text(words)] }],
})

const code = `// The water must not boil.
import { pot } from 'teahouse'

export async function brew(leaf: string, degrees = 80): Promise<Cup> {
  if (degrees > 95) throw new RangeError(\`\${degrees} is too hot\`)
  return pot.fill({ leaf, degrees, isWarm: true })
}`

/** A post with one of each block. */
export const sample: Doc = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [text('How to brew 龙井')] },
    paragraph(
      text('Longjing wants '),
      { type: 'text', text: '80 °C water', marks: [{ type: 'bold' }] },
      text(', a glass, and patience. See '),
      { type: 'text', text: 'the long page', marks: [{ type: 'link', attrs: { href: 'https://example.org/tea' } }] },
      text(' and use '),
      { type: 'text', text: 'pot.fill()', marks: [{ type: 'code' }] },
      text('.'),
    ),
    paragraph(
      text(
        '泡茶先温杯，再投茶，然后沿杯壁注水到七分满。水温八十度左右最好，太烫会把嫩芽烫熟，茶汤发黄，也少了那股豆香。第一泡两分钟，喝到三分之一再续水，这样滋味前后均匀。',
      ),
    ),
    {
      type: 'bulletList',
      content: [
        { type: 'listItem', content: [paragraph(text('3 g of leaf'))] },
        { type: 'listItem', content: [paragraph(text('150 ml of water'))] },
      ],
    },
    {
      type: 'taskList',
      content: [
        { type: 'taskItem', attrs: { checked: true }, content: [paragraph(text('Warm the glass'))] },
        { type: 'taskItem', attrs: { checked: false }, content: [paragraph(text('Wait two minutes'))] },
      ],
    },
    { type: 'blockquote', content: [paragraph(text('茶之为饮，发乎神农氏。'))] },
    { type: 'codeBlock', attrs: { language: 'javascript' }, content: [{ type: 'text', text: code }] },
    {
      type: 'table',
      content: [
        { type: 'tableRow', content: [cell('tableHeader', 'Tea'), cell('tableHeader', '°C')] },
        { type: 'tableRow', content: [cell('tableCell', '龙井'), cell('tableCell', '80')] },
      ],
    },
    { type: 'horizontalRule' },
    { type: 'heading', attrs: { level: 3 }, content: [text('And then')] },
    paragraph(text('Drink it while it is warm.')),
  ],
}
