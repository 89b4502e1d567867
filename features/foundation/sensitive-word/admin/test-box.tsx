import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { testSensitiveWords } from '#sensitive-word/contract.ts'
import css from '#sensitive-word/admin/sensitive-word.module.css'

type Outcome = Output<typeof testSensitiveWords>

/** Shows the result of the filter for a title and a text. */
export function TestBox() {
  const words = useWords('sensitiveWordAdmin')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  return (
    <section className={css.test}>
      <h2>{words('test')}</h2>
      <Form endpoint={testSensitiveWords} onSuccess={setOutcome}>
        <Field name="title" label={words('title')} maxLength={200} autoComplete="off" />
        <TextField name="text" label={words('text')} help={words('testHelp')} rows={5} maxLength={50_000} required />
        <Submit>{words('try')}</Submit>
      </Form>
      {outcome && <Result outcome={outcome} />}
    </section>
  )
}

function Result({ outcome: { outcome, title, text, hits } }: { outcome: Outcome }) {
  const words = useWords('sensitiveWordAdmin')
  return (
    <div className={css.result} role="status" data-outcome={outcome}>
      <p>
        <strong>{words(`outcome${outcome}`)}</strong>
      </p>
      {outcome === 'replaced' && (
        <>
          {title && <p className={css.text}>{title}</p>}
          <p className={css.text}>{text}</p>
        </>
      )}
      {hits.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>{words('word')}</th>
              <th>{words('writtenAs')}</th>
              <th>{words('list')}</th>
              <th>{words('action')}</th>
            </tr>
          </thead>
          <tbody>
            {hits.map((hit, index) => (
              <tr key={index}>
                <td>{hit.word}</td>
                <td>
                  {hit.as} {hit.isInTitle && <span className="mark">{words('title')}</span>}
                </td>
                <td>{hit.list}</td>
                <td>{words(hit.action)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
