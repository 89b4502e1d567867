import { fromMarkdown } from '#base/rich-text/markdown.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { Html } from '#base/web/html.tsx'
import { useWords } from '#base/web/words.tsx'

const post = `
مرحبا بالعالم 123 (abc)، كيف الحال؟

## שלום (abc)

Tea (מים) is water.

- قهوة

> اقتباس

[رابط](https://example.com)

زوروا https://example.com/tea/ اليوم
Welcome to (Teahouse).

| عمود | two |
| --- | --: |
| 12 | (نعم) |

قل \`f(x)\` ثم @[دانة](member:7)، 5.

\`\`\`
x = ("א", "ב")
\`\`\`
`

const html = toSegments(fromMarkdown(post), { picture: () => null, mention: (id) => ({ href: `/${id}`, name: 'دانة' }) })
  .map((segment) => segment.html)
  .join('')

/** Right-to-left texts within the page's own. */
export function DirectionStory() {
  const words = useWords('site')
  return (
    <>
      <Html html={html} className="prose" id="post" />
      {['Tea and talk', 'مرحبا abc!'].map((title) => (
        <h2 key={title} data-title={title}>
          <span className="mark">Pinned</span> <a href="/">{title}</a> <span className="meta">5</span>
        </h2>
      ))}
      <p id="title">مرحبا abc!</p>
      <p id="long" style={{ width: 120, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        مرحبا بالعالم كيف الحال اليوم
      </p>
      <p id="sentence">{words('menuOf', { name: 'مرحبا (1)' })}</p>
    </>
  )
}
