import { useState, type ReactNode } from 'react'
import type { GeneratedText } from '#assistant/generated-contract.ts'
import { lastGeneratedEditor } from '#base/web/assistant.ts'
import type { OpenEditor } from '#base/editor/open-editors.ts'
import { useForm } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#assistant/web/generated.module.css'

type SuggestionsProps = { made: GeneratedText; /** The editor of the form. */ editor: OpenEditor }

/** Suggested titles and tags, accepted one by one. Only tags that the form offers. */
export function Suggestions({ made: { titles = [], tagIds = [], isStandIn }, editor }: SuggestionsProps) {
  const words = useWords('assistant')
  const { title: titleField, tagId: tagField } = useForm().suggestible
  const [taken, setTaken] = useState<readonly string[]>([])
  const tags = tagIds.flatMap((id) => ({ id, name: tagField?.labelOf(id) ?? null })).filter(({ name }) => name !== null)

  function take(key: string, put: () => void): void {
    put()
    setTaken([...taken, key])
  }

  function takeTitle(title: string): void {
    titleField?.take(title)
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
          take={() => take(`tag ${id}`, () => tagField?.take(id))}
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
