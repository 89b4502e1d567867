import { Form, Submit } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { addPostscript } from '#question/contract.ts'
import { clearDraft, DocumentField } from '#writing/web/writing.tsx'

/** The form for an addendum to a question of one's own. */
export function PostscriptForm({ questionId, close }: { questionId: string; close: () => void }) {
  const [words, site] = [useWords('question'), useWords('site')]
  const draftKey = `postscript ${questionId}`

  function added(): void {
    clearDraft(draftKey)
    close()
  }

  return (
    <Form endpoint={addPostscript} extra={{ questionId }} onSuccess={added}>
      <DocumentField name="body" label={words('yourPostscript')} draftKey={draftKey} newcomer={null} />
      <p className="actions">
        <Submit>{words('post')}</Submit>
        <button type="button" className="button quiet" onClick={close}>
          {site('cancel')}
        </button>
      </p>
    </Form>
  )
}
