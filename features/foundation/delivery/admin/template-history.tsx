import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { editTemplate, templateView } from '#delivery/template-contract.ts'
import css from '#delivery/admin/delivery.module.css'

type Data = Output<typeof templateView>
type LanguageData = Data['inLanguages'][number]

/** The earlier versions of a template's text: author, difference, and a way to restore each. */
export function TemplateHistory({
  template,
  its: { language, subject, text, version, history },
}: {
  template: Data['name']
  its: LanguageData
}) {
  const words = useWords('deliveryAdmin')
  const edit = useAction<typeof editTemplate>('/admin/delivery/template/edit')
  return (
    <details>
      <summary>{words('history')}</summary>
      {history.length === 0 && <p className="meta">{words('noHistory')}</p>}
      <ul>
        {history.map(({ at, by, before, after }) => (
          <li key={at}>
            <Time at={at} /> {by === 'operator' ? words('operator') : by}
            <p className="meta">{words('wasBefore')}</p>
            <pre className={css.text}>{`${before.subject}\n\n${before.text}`}</pre>
            <p className="meta">{words('isAfter')}</p>
            <pre className={css.text}>{`${after.subject}\n\n${after.text}`}</pre>
            {(before.subject !== subject || before.text !== text) && (
              <button
                type="button"
                className="plain"
                disabled={edit.isBusy}
                onClick={() => void edit.run({ template, language, ...before, version }, { message: words('saved') })}
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
