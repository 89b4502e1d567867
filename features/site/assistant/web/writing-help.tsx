import { useState } from 'react'
import { documentOf } from '#assistant/links.ts'
import type { improve, suggest } from '#assistant/generated-contract.ts'
import { changesOf, improvable, type DraftChange } from '#assistant/web/draft-changes.ts'
import { useGeneration, type Generation } from '#assistant/web/generation.ts'
import { Review } from '#assistant/web/review.tsx'
import { Suggestions } from '#assistant/web/suggestions.tsx'
import { toMarkdown } from '#base/rich-text/markdown.ts'
import { openEditors, type OpenEditor } from '#base/editor/open-editors.ts'
import { useForm } from '#base/web/form.tsx'
import type { Places } from '#base/web/places.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ThreadKind } from '#kind/contract.ts'
import css from '#assistant/web/generated.module.css'

/** Suggests a better wording of a draft, and titles and tags for a new thread. Only accepted changes are inserted. */
export function WritingHelp({ draftKey, threadKind: thread }: Places['editor.tools']) {
  const words = useWords('assistant')
  // A thread may keep its tags.
  const offersTags = useForm().suggestible['tagId'] !== undefined
  const editor = openEditors.use().findLast((open) => open.isOf(draftKey))
  const { suggesting, improving, changes, suggestFor, improveIn, stop } = useHelp()
  if (!editor) return null
  const isBusy = [suggesting, improving].some(({ state }) => state === 'running')
  return (
    <section className={css.writing} data-beside aria-label={words('writingHelp')}>
      <p className={css.actions}>
        {thread && (
          <button type="button" className="plain" disabled={isBusy} onClick={() => suggestFor(editor, thread)}>
            {words(offersTags ? 'suggest' : 'suggestTitle')}
          </button>
        )}
        <button type="button" className="plain" disabled={isBusy} onClick={() => void improveIn(editor)}>
          {words('improve')}
        </button>
        {isBusy && (
          <button type="button" className="plain" onClick={stop}>
            {words('stop')}
          </button>
        )}
      </p>
      <State making={suggesting} />
      <State making={improving} />
      {suggesting.made && <Suggestions key={suggesting.made.titles?.join('\n')} made={suggesting.made} editor={editor} />}
      {changes && <Review key={JSON.stringify(changes)} changes={changes} editor={editor} isStandIn={improving.made?.isStandIn ?? false} />}
    </section>
  )
}

function useHelp() {
  const suggesting = useGeneration<typeof suggest>('/assistant/suggest')
  const improving = useGeneration<typeof improve>('/assistant/improve')
  const [changes, setChanges] = useState<readonly DraftChange[] | null>(null)

  function suggestFor(editor: OpenEditor, thread: ThreadKind): void {
    setChanges(null)
    improving.forget()
    void suggesting.begin({ text: toMarkdown(improvable(editor.read())), thread })
  }

  async function improveIn(editor: OpenEditor): Promise<void> {
    setChanges(null)
    suggesting.forget()
    const draft = editor.read()
    const generated = await improving.begin({ text: toMarkdown(improvable(draft)) })
    if (!generated) return
    const improved = documentOf(generated.text, () => true)
    setChanges(changesOf(draft, editor.parse(toMarkdown(improved))))
  }

  function stop(): void {
    suggesting.stop()
    improving.stop()
  }
  return { suggesting: suggesting.making, improving: improving.making, changes, suggestFor, improveIn, stop }
}

/** The progress, or the error. */
function State({ making: { state, wrong } }: { making: Generation }) {
  const words = useWords('assistant')
  return (
    <>
      <p className={css.about} role="status">
        {state === 'running' && words('thinking')}
        {state === 'stopped' && words('stopped')}
      </p>
      {wrong && (
        <p className="wrong" role="alert">
          {wrong}
        </p>
      )}
    </>
  )
}
