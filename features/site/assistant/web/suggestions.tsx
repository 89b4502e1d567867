import { useState, type ReactNode } from 'react'
import type { GeneratedText } from '#assistant/generated-contract.ts'
import { lastGeneratedEditor } from '#base/web/assistant.ts'
import type { OpenEditor } from '#base/web/editor/open-editors.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/generated.module.css'

type SuggestionsProps = { made: GeneratedText; /** The editor of the form. */ editor: OpenEditor; form: HTMLFormElement | null }

/** Suggested titles and tags, accepted one by one. Only tags that the form offers. */
export function Suggestions({ made: { titles = [], tagIds = [], isStandIn }, editor, form }: SuggestionsProps) {
  const words = useWords('assistant')
  const [taken, setTaken] = useState<readonly string[]>([])
  const tags = tagIds.flatMap((id) => ({ id, name: nameIn(form, id) })).filter(({ name }) => name !== null)

  function take(key: string, put: () => void): void {
    put()
    setTaken([...taken, key])
  }

  function takeTitle(title: string): void {
    putTitle(form, title)
    lastGeneratedEditor.set(editor)
  }

  if (titles.length + tags.length === 0) return <p className={css.about}>{words('nothingSuggested')}</p>
  return (
    <div className={css.suggested} data-ai-generated>
      <span className="mark">{words('aiGenerated')}</span>
      {isStandIn && <span className="mark">{words('standIn')}</span>}
      {titles.map((title) => (
        <Chip
          key={title}
          isTaken={taken.includes(title)}
          label={words('takeTitle', { title })}
          take={() => take(title, () => takeTitle(title))}
        >
          {title}
        </Chip>
      ))}
      {tags.map(({ id, name }) => (
        <Chip
          key={id}
          isTaken={taken.includes(`tag ${id}`)}
          label={words('takeTag', { tag: name ?? '' })}
          take={() => take(`tag ${id}`, () => putTag(form, id))}
        >
          #{name}
        </Chip>
      ))}
    </div>
  )
}

function Chip({ isTaken, label, take, children }: { isTaken: boolean; label: string; take: () => void; children: ReactNode }) {
  return (
    <button type="button" className={css.chip} aria-label={label} aria-pressed={isTaken} onClick={take}>
      <bdi>{children}</bdi>
    </button>
  )
}

/** False for a form whose thread keeps its tags. */
export function offersTags(form: HTMLFormElement | null): boolean {
  return form !== null && form.querySelector('[name="tagId"], [name="tagIds"]') !== null
}

function selectIn(form: HTMLFormElement | null): HTMLSelectElement | null {
  return form?.querySelector<HTMLSelectElement>('select[name="tagId"]') ?? null
}

function furtherIn(form: HTMLFormElement | null, id: string): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>(`input[name="tagIds"][value="${CSS.escape(id)}"]`) ?? null
}

function nameIn(form: HTMLFormElement | null, id: string): string | null {
  const option = [...(selectIn(form)?.options ?? [])].find(({ value }) => value === id)
  return option?.text ?? furtherIn(form, id)?.labels?.[0]?.textContent ?? null
}

function putTitle(form: HTMLFormElement | null, title: string): void {
  const field = form?.querySelector<HTMLInputElement>('input[name="title"]')
  field?.focus()
  field?.select()
  // Like typed text, so that the browser can undo it.
  document.execCommand('insertText', false, title)
}

/** The first tag replaces the main one, unless that is fixed; others are added as secondary tags of a question. */
function putTag(form: HTMLFormElement | null, id: string): void {
  const select = selectIn(form)
  const further = furtherIn(form, id)
  if (further && (!select || (select.value && select.value !== id))) {
    if (!further.checked) further.click()
    return
  }
  if (!select) return
  select.value = id
  for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }))
}
