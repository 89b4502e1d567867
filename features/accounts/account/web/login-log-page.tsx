import { useLoaderData, useSearchParams } from 'react-router'
import type { endOtherSessions, endSession, sessions } from '#account/contract.ts'
import type { loginLog } from '#account/login-contract.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { useAddress, useRegion } from '#base/web/region.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { deviceName } from '#base/device-name.ts'
import css from '#account/web/login-log-page.module.css'

const wordOf = { login: 'kindLogin', renewal: 'kindRenewal', reused: 'kindReused' } as const

type Data = { log: Output<typeof loginLog>; devices: Output<typeof sessions> }

export function Page() {
  const words = useWords('account')
  const ofRegion = useWords('region')
  const say = useRegion()
  const { log, devices } = useLoaderData<Data>()
  return (
    <section className="column">
      <p className="meta">{words('loginLogWhat')}</p>
      <h2>{words('sessions')}</h2>
      <Devices {...devices} />
      <h2>{words('logins')}</h2>
      <Kinds />
      <table className={`list ${css.logins}`}>
        <thead>
          <tr>
            <th>{words('time')}</th>
            <th>
              {words('kind')} · {words('device')}
            </th>
            <th>
              {words('ip')} · {ofRegion('region')}
            </th>
          </tr>
        </thead>
        <tbody>
          {log.entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <Time at={entry.at} />
              </td>
              <td>
                {words(wordOf[entry.kind])}
                <p className="meta">{deviceName(entry.device) ?? words('unknownDevice')}</p>
              </td>
              <td>
                {entry.ip} · {say(entry.region) || ofRegion('unknown')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pagination page={log.page} pages={log.pages} total={log.total} />
    </section>
  )
}

const kinds = [[null, 'kindAll'], ...Object.entries(wordOf)] as const

function Kinds() {
  const words = useWords('account')
  const chosen = useSearchParams()[0].get('kind')
  return (
    <nav className={css.kinds} aria-label={words('kind')}>
      {kinds.map(([kind, word]) => (
        <Link
          key={word}
          to={`/user/control/userLoginLogList${kind ? `?kind=${kind}` : ''}`}
          {...(chosen === kind && { 'aria-current': 'page' as const })}
        >
          {words(word)}
        </Link>
      ))}
    </nav>
  )
}

function Devices({ sessions: list, tokens }: Data['devices']) {
  const words = useWords('account')
  const address = useAddress()
  const end = useAction<typeof endSession>('/user/control/session/end')
  const endOthers = useAction<typeof endOtherSessions>('/user/control/session/endOthers')
  return (
    <>
      <ul className={css.devices}>
        {list.map((one) => (
          <li key={one.id}>
            <div>
              <strong>{deviceName(one.device) ?? words('unknownDevice')}</strong>{' '}
              {one.isThis && <span className="mark">{words('thisDevice')}</span>}
              <p className="meta">
                {address(one)} · <Time at={one.lastUsedAt} />
              </p>
            </div>
            {!one.isThis && (
              <button
                type="button"
                className="button quiet"
                disabled={end.isBusy}
                onClick={() => void end.run({ sessionId: one.id }, { message: words('sessionEnded') })}
              >
                {words('endSession')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {(list.length > 1 || tokens > 0) && (
        <div className={css.others}>
          {tokens > 0 && <p className="meta">{words('endOthersWhat')}</p>}
          <button
            type="button"
            className="button quiet"
            disabled={endOthers.isBusy}
            onClick={() => void endOthers.run({}, { message: words('othersEnded', { tokens }) })}
          >
            {words('endOthers')}
          </button>
        </div>
      )}
    </>
  )
}
