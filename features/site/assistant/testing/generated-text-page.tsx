import { useRef, useState } from 'react'
// First, because it tells zod that the page's policy forbids eval.
import '#base/web/no-eval.ts'
import { query, renderTestPage } from '#base/testing/test-page.tsx'
import { Field, Form, useForm } from '#base/web/form.tsx'
import { z } from 'zod'
import { member, type Me } from '#account/web/account.tsx'
import { declared } from '#ai-label/contract.ts'
import { AssistantButton } from '#assistant/web/assistant.tsx'
import { places as formPlaces } from '#assistant/web/form-places.tsx'
import { places } from '#assistant/web/places.tsx'
import { write } from '#base/contract.ts'
import type { Doc } from '#base/rich-text/document.ts'
import { DialogHost } from '#base/web/dialog-host.tsx'
import { Html } from '#base/web/html.tsx'
import { Menu } from '#base/web/menu.tsx'
import { Place, addPlaces, type Places } from '#base/web/places.tsx'
import { usePostTools } from '#base/editor/post-tools.ts'
import { useSuggestible } from '#base/web/suggestible.ts'
import { Toasts } from '#base/web/toast.tsx'
import { TranslateItem, Translated } from '#post/web/post.tsx'
import { site, type Site } from '#setting/web/setting.tsx'
import { topicDocument } from '#writing/contract.ts'
import { AiField, DocumentField, ownDraftKey } from '#writing/web/writing.tsx'
import '#base/web/prose.css'

/** A test page: a thread to summarise and translate, and a form with writing help. */

const send = write('/try', {
  summary: 'Takes a thread.',
  input: z.object({ tagId: z.string(), title: z.string(), body: topicDocument, ...declared }),
  output: z.object({}),
})

const topic = { id: '1', floors: 9, commentCount: 9 } as Places['thread.tools']['topic']
const posts = [
  { id: '1', html: '<p>绿茶要用<a href="/thread?topicId=2">八十度的水</a>。</p>' },
  { id: '2', html: '<p>It rains today.</p>' },
]

function Thread() {
  return (
    <>
      {posts.map(({ id, html }) => (
        <article key={id} aria-label={`Post ${id}`}>
          <Translated of={{ kind: 'comment', id }}>
            <Html html={html} className="prose" />
          </Translated>
          <Menu label={`More ${id}`}>
            <TranslateItem of={{ kind: 'comment', id }} segments={[{ html }]} />
          </Menu>
        </article>
      ))}
      <Place name="thread.tools" topic={topic} readTo={4} />
      <Place name="thread.belowPost" topic={topic} />
      <Code />
    </>
  )
}

const code = '<pre tabindex="0" data-language="JavaScript"><code class="language-javascript">const cup = 1\n</code></pre>'

function Code() {
  const body = useRef<HTMLDivElement>(null)
  usePostTools(body, code)
  return (
    <div ref={body}>
      <Html html={code} className="prose" />
    </div>
  )
}

function Writing() {
  return (
    <Form endpoint={send} onSuccess={() => undefined}>
      {query.get('writes') !== 'edit' && <Tags />}
      <Title />
      <DocumentField name="body" label="Body" draftKey="topic" isTall opens="topic" />
      <AiField draftKey={ownDraftKey('topic')} label={null} />
    </Form>
  )
}

const tagNames: Record<string, string> = { 3: 'Water', ...(query.get('writes') === 'question' && { 5: 'Cups' }) }

function Tags() {
  const [tags, setTags] = useState<readonly string[]>([])
  useSuggestible(useForm().addSuggestible, 'tagId', { labelOf: (id) => tagNames[id] ?? null, take: (id) => setTags([...tags, id]) })
  return (
    <>
      <label>
        Tag
        <select name="tagId" value={tags[0] ?? ''} onChange={({ target }) => setTags([target.value])}>
          <option value="">Choose</option>
          <option value="3">Water</option>
        </select>
      </label>
      {tagNames[5] && (
        <label>
          <input type="checkbox" name="tagIds" value="5" checked={tags.includes('5')} readOnly />
          Cups
        </label>
      )}
    </>
  )
}

function Title() {
  const [title, setTitle] = useState('')
  useSuggestible(useForm().addSuggestible, 'title', { labelOf: (one) => one, take: setTitle })
  return <Field name="title" label="Title" value={title} onChange={({ target }) => setTitle(target.value)} />
}

function Replying() {
  return (
    <Form endpoint={send} onSuccess={() => undefined}>
      <DocumentField name="body" label="Body" draftKey="reply 1" isPlain {...(query.has('mentions') && { first: mentioning })} />
    </Form>
  )
}

const mentioning: Doc = {
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'mention', attrs: { id: '4', label: 'Tom' } },
        { type: 'text', text: ' it rain' },
      ],
    },
  ],
}

function Page() {
  return (
    <>
      <header>
        <AssistantButton />
      </header>
      <main className="column">
        <h1>Tea</h1>
        {query.has('writes') ? query.get('writes') === 'reply' ? <Replying /> : <Writing /> : <Thread />}
      </main>
      <Toasts />
      <DialogHost />
    </>
  )
}

addPlaces([places, formPlaces])
const tools = { topic: [], comment: [], reply: [] }
site.set({
  apiUrl: '/api',
  hiddenTools: tools,
  aiLabels: 'declare',
  aiAssistantParameter: { allowChat: !query.has('closed') },
} as unknown as Site)
member.set({ userId: '7' } as Me)
renderTestPage([{ path: '*', Component: Page }])
