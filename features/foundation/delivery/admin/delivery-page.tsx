import { useLoaderData } from 'react-router'
import { usePolling } from '#base/admin/polling.ts'
import type { Output } from '#base/contract.ts'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { testEmail, testText, type deliveryBoard } from '#delivery/contract.ts'
import css from '#delivery/admin/delivery.module.css'

type Board = Output<typeof deliveryBoard>

export function Page() {
  const words = useWords('deliveryAdmin')
  const { days, ceilings, unsent, outbox } = useLoaderData<Board>()
  usePolling(days[0] !== undefined && days[0].waiting > 0)
  return (
    <>
      <h1>{words('sending')}</h1>
      <p className="meta">{words('what')}</p>
      <p>
        <Link to="/admin/delivery/log">{words('log')}</Link> · <Link to="/admin/delivery/template">{words('templates')}</Link> ·{' '}
        <Link to="/admin/setting?group=email">{words('settingsOfEmail')}</Link> ·{' '}
        <Link to="/admin/setting?group=sms">{words('settingsOfSms')}</Link>
      </p>
      <Tests unsent={unsent} />
      <Ceilings ceilings={ceilings} />
      {days.length > 0 && <Days days={days} />}
      {outbox && outbox.length > 0 && <Outbox outbox={outbox} />}
    </>
  )
}

function Tests({ unsent }: Pick<Board, 'unsent'>) {
  const words = useWords('deliveryAdmin')
  const begun = () => void toast(words('begun'))
  return (
    <>
      <h2>{words('testEmail')}</h2>
      {unsent.includes('email') ? (
        <p className="note">{words('noEmails')}</p>
      ) : (
        <Form endpoint={testEmail} onSuccess={begun} resetsOnSuccess>
          <Field name="email" type="email" label={words('email')} required />
          <Submit>{words('send')}</Submit>
        </Form>
      )}
      <h2>{words('testText')}</h2>
      {unsent.includes('sms') ? (
        <p className="note">{words('noTexts')}</p>
      ) : (
        <Form endpoint={testText} onSuccess={begun} resetsOnSuccess>
          <Field name="phone" type="tel" label={words('phone')} help={words('phoneHelp')} required maxLength={16} />
          <Submit>{words('send')}</Submit>
        </Form>
      )}
    </>
  )
}

function Ceilings({ ceilings }: Pick<Board, 'ceilings'>) {
  const words = useWords('deliveryAdmin')
  return (
    <>
      <h2>{words('today')}</h2>
      <table className="list">
        <thead>
          <tr>
            <th>{words('channel')}</th>
            <th>{words('used')}</th>
            <th>{words('most')}</th>
          </tr>
        </thead>
        <tbody>
          {ceilings.map(({ channel, country, use, used, most }) => (
            <tr key={`${channel} ${country} ${use}`}>
              <td>
                {words(`${channel}Channel`)} {country ? `+${country} ` : ''}
                {words(`${use}Use`)}
              </td>
              <td data-label={words('used')}>
                {used} {used >= most && <strong>{words('reached')}</strong>}
              </td>
              <td data-label={words('most')}>{most}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const states = ['sent', 'unsent', 'refused', 'failed', 'waiting', 'tests'] as const

function Days({ days }: Pick<Board, 'days'>) {
  const words = useWords('deliveryAdmin')
  return (
    <>
      <h2>{words('days')}</h2>
      <table className="list">
        <thead>
          <tr>
            <th>{words('day')}</th>
            <th>{words('channel')}</th>
            {states.map((state) => (
              <th key={state}>{words(state)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((one) => (
            <tr key={`${one.day} ${one.channel}`}>
              <td>{one.day}</td>
              <td data-label={words('channel')}>{words(`${one.channel}Channel`)}</td>
              {states.map((state) => (
                <td key={state} data-label={words(state)}>
                  {one[state]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Outbox({ outbox }: { outbox: NonNullable<Board['outbox']> }) {
  const words = useWords('deliveryAdmin')
  return (
    <>
      <h2>{words('outbox')}</h2>
      <p className="meta">{words('outboxWhat')}</p>
      <ul>
        {outbox.map(({ to, subject, text, at }, place) => (
          <li key={place}>
            <Time at={at} /> {to} {subject && <strong>{subject}</strong>}
            <pre className={css.text}>{text}</pre>
          </li>
        ))}
      </ul>
    </>
  )
}
