import { useRef, useState } from 'react'
// First, since it configures zod for a content security policy without eval.
import '#base/web/no-eval.ts'
import { language, query, renderTestPage } from '#base/testing/test-page.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { z } from 'zod'
import { write } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { toSegments } from '#base/rich-text/to-html.ts'
import { Html } from '#base/web/html.tsx'
import { usePostTools } from '#base/editor/post-tools.ts'
import { Toasts } from '#base/web/toast.tsx'
import { site, type Site } from '#setting/web/setting.tsx'
import { replyDocument, topicDocument } from '#writing/contract.ts'
import { clearDraft, DocumentField } from '#writing/web/writing.tsx'
import '#base/web/prose.css'
import '#base/web/pictures.css'

/** A test page: one form with one document, and a piece of code as it appears in a post. */

const isPlain = query.has('plain')

const send = write('/try', {
  summary: 'Takes a document.',
  input: z.object({ title: z.string().optional(), body: isPlain ? replyDocument : topicDocument }),
  output: z.object({}),
})

function Page() {
  const post = useRef<HTMLDivElement>(null)
  const [sent, setSent] = useState(0)
  const first = query.has('first') ? (JSON.parse(query.get('first') ?? '') as Doc) : undefined
  usePostTools(post, sent)
  return (
    <main className="column" style={{ padding: '24px 16px' }}>
      <h1>{language === 'zh' ? '写点什么' : 'Write'}</h1>
      <div ref={post} className="prose">
        <pre data-language="JavaScript">
          <code className="language-javascript">{'const tea = 1'}</code>
        </pre>
        {query.has('pictures') &&
          ['A cup', '', 'A pot'].map((alt, at) => (
            <p key={alt} className="picture">
              <img src={`/file/f_${at}`} alt={alt} width="800" height="450" srcSet={`/file/f_${at}?w=480 480w, /file/f_${at} 800w`} />
            </p>
          ))}
        {query.has('drawn') && <Html html={postWith(query.get('drawn') ?? '')} />}
      </div>
      <Form
        endpoint={send}
        onSuccess={() => {
          clearDraft('example')
          setSent(sent + 1)
        }}
      >
        {query.has('titled') && <Field name="title" label="Title" />}
        <DocumentField
          name="body"
          label={language === 'zh' ? '正文' : 'Body'}
          draftKey="example"
          isPlain={isPlain}
          isTall={!query.has('low') && !isPlain}
          hides={query.has('hides')}
          {...(first && { first })}
          {...(query.has('new') && { newcomer: { links: 2, pictures: 9, secondsBetweenTopics: 60, secondsBetweenComments: 10 } })}
        />
        <p className="actions">
          <Submit>{language === 'zh' ? '发表' : 'Publish'}</Submit>
        </p>
        <output id="sent">{sent}</output>
      </Form>
      <Toasts />
      <DialogHost />
    </main>
  )
}

/** The HTML of a post with a picture of this size, such as 900x600, then a file and a link. */
function postWith(size: string): string {
  const [width = 0, height = 0] = size.split('x').map(Number)
  const src = `/file/f_${size}`
  const widths = [480, 720]
  const srcset = widths.map((one) => `${src}?w=${one} ${one}w`).join(', ')
  const avif = widths.map((one) => `${src}?w=${one}&as=avif ${one}w`).join(', ')
  const file = { name: 'tea.pdf', bytes: 2_000 }
  const link = { type: 'link' as const, attrs: { href: 'https://example.org/tea' } }
  const post: Doc = {
    type: 'doc',
    content: [
      { type: 'image', attrs: { file: 'f_1', alt: 'A cup', width, height } },
      { type: 'file', attrs: { file: 'f_2', ...file } },
      { type: 'paragraph', content: [{ type: 'text', text: 'a tea shop', marks: [link] }] },
    ],
  }
  const found = { src, width, height, srcset, avif }
  return toSegments(post, { picture: () => found, mention: () => null, attachment: () => ({ href: '/file/f_2', ...file }) })
    .map(({ html }) => html)
    .join('')
}

const hidden = query.get('hidden')?.split(',') ?? []
site.set({
  apiUrl: '/api',
  aiAssistantParameter: { allowChat: false },
  hiddenTools: { topic: hidden, comment: [], reply: hidden },
} as unknown as Site)
renderTestPage([{ path: '*', Component: Page }])
