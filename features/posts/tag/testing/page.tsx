// First, since it configures zod for a content security policy without eval.
import '#base/web/no-eval.ts'
import { query, renderTestPage } from '#base/testing/test-page.tsx'
import { Form, Submit, useForm } from '#base/web/form.tsx'
import { z } from 'zod'
import { id, nothing, write } from '#base/contract.ts'
import { useStoredFields } from '#base/editor/stored-fields.ts'
import { furtherTags } from '#tag/contract.ts'
import { TagField } from '#tag/web/tag.tsx'

/** A test page: a form with the tag field only, which shows the selection. */

const send = write('/send', { summary: '', input: z.object({ tagId: id, tagIds: furtherTags.default([]) }), output: nothing })
const tagOf = (number: string, zh: string, en: string) => ({
  id: number,
  key: en.toLowerCase(),
  name: { zh, en },
  description: { zh: '', en: '' },
  picture: null,
  topicCount: 0,
  isRestricted: false,
  viewers: [],
})
const tags = [
  {
    ...tagOf('1', '喝茶', 'Tea'),
    children: [tagOf('11', '泡茶', 'Brewing'), tagOf('12', '茶具', 'Teaware'), tagOf('13', '茶馆', 'Teahouses')],
  },
  { ...tagOf('2', '杂谈', 'Talk'), children: [tagOf('21', '徒步', 'Hiking'), tagOf('22', '读书', 'Reading')] },
]

/** Buttons that suggest tags to the field, and one that it does not offer. */
function Suggested() {
  const { tagId } = useForm().suggestible
  return ['12', '13', '99'].map((one) => {
    const label = tagId?.labelOf(one)
    return (
      label && (
        <button key={one} type="button" onClick={() => tagId?.take(one)}>
          Take {label}
        </button>
      )
    )
  })
}

function Page() {
  const storedFields = useStoredFields('tags')
  const { tagId, tagIds } = storedFields.initial
  const first = [tagId ?? '', ...(tagIds ?? '').split(' ')].filter(Boolean)
  return (
    <main className="column" style={{ padding: '24px 16px' }}>
      <Form endpoint={send} onSuccess={() => undefined}>
        <div onInput={storedFields.store}>
          <TagField tags={tags} most={Number(query.get('most') ?? 3)} first={first} isPlaceFixed={query.has('fixed')} />
        </div>
        <Suggested />
        <Submit>Send</Submit>
      </Form>
    </main>
  )
}

renderTestPage([{ path: '*', Component: Page }])
