import type { editPrompt, PromptView } from '#assistant/prompt-contract.ts'
import { useAction } from '#base/web/action.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#assistant/admin/assistant.module.css'

/** Earlier versions with their editors, and buttons to restore them. */
export function PromptHistory({ prompt: { name, language, text, version, history } }: { prompt: PromptView }) {
  const words = useWords('assistantAdmin')
  const edit = useAction<typeof editPrompt>('/admin/assistant/prompt/edit')
  return (
    <details>
      <summary>{words('history')}</summary>
      {history.length === 0 && <p className="meta">{words('noHistory')}</p>}
      <ul>
        {history.map((one) => (
          <li key={one.version}>
            {words('versionOf', { version: one.version })} · <Time at={one.at} /> · {one.by}{' '}
            {one.isStandard && <span className="mark">{words('isStandard')}</span>}
            <pre className={css.text}>{one.text}</pre>
            {one.text !== text && mayDo('assistant.manage') && (
              <button
                type="button"
                className="plain"
                disabled={edit.isBusy}
                onClick={() => void edit.run({ name, language, text: one.text, version }, { message: words('saved') })}
              >
                {words('changeBack')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
