import { useState } from 'react'
import { useLoaderData } from 'react-router'
import lines from '#base/web/lines.module.css'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { SelectField, Field, Form, Submit } from '#base/web/form.tsx'
import { copy } from '#base/web/share.ts'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { addToken, revokeToken, type tokens, type TokenView } from '#mcp/contract.ts'
import css from '#mcp/web/tokens-page.module.css'

type Mine = Output<typeof tokens>

const lifetimes = [7, 30, 90, 365] as const

/** API tokens of a member's own programs. */
export function Page() {
  const words = useWords('mcp')
  const { tokens: mine, address, isOpen } = useLoaderData<Mine>()
  const [newToken, setNewToken] = useState<string | null>(null)
  return (
    <section className="column">
      <p>{words(isOpen ? 'tokensWhat' : 'noMcp')}</p>
      {(isOpen || mine.length > 0) && <p className="meta">{words('tokensEnd')}</p>}
      {isOpen && <Readable label={words('address')} value={address} />}
      {newToken && <Made token={newToken} />}
      {isOpen && (
        <Form endpoint={addToken} onSuccess={({ token }) => setNewToken(token)} key={newToken ?? ''}>
          <Field name="name" label={words('tokenName')} help={words('tokenNameHelp')} maxLength={60} required autoComplete="off" />
          <SelectField name="days" label={words('lifetime')} defaultValue="90">
            {lifetimes.map((days) => (
              <option key={days} value={days}>
                {words('lifetimeDays', { days })}
              </option>
            ))}
          </SelectField>
          <Field name="mayDraft" type="checkbox" label={words('mayDraft')} help={words('mayDraftHelp')} />
          <Submit>{words('makeToken')}</Submit>
        </Form>
      )}
      {(isOpen || mine.length > 0) && <h2>{words('yourTokens')}</h2>}
      {mine.length === 0 ? isOpen && <Empty>{words('noTokens')}</Empty> : <List mine={mine} />}
    </section>
  )
}

function Made({ token }: { token: string }) {
  const words = useWords('mcp')
  return (
    <div className={`note ${css.made}`} role="status">
      <p>{words('tokenMade')}</p>
      <Readable label={words('token')} value={token} />
    </div>
  )
}

function Readable({ label, value }: { label: string; value: string }) {
  const words = useWords('mcp')
  async function take(): Promise<void> {
    toast(words((await copy(value)) ? 'copied' : 'notCopied'))
  }
  return (
    <p className={css.readable}>
      <input readOnly value={value} aria-label={label} onFocus={({ currentTarget }) => currentTarget.select()} />
      <button type="button" className="button quiet" onClick={() => void take()}>
        {words('copyIt')}
      </button>
    </p>
  )
}

function List({ mine }: { mine: readonly TokenView[] }) {
  return (
    <ul className={lines.list}>
      {mine.map((one) => (
        <Line key={one.id} token={one} />
      ))}
    </ul>
  )
}

function Line({ token: { id, name, scopes, expiresAt, isExpired, lastUsedAt } }: { token: TokenView }) {
  const words = useWords('mcp')
  const revoking = useAction<typeof revokeToken>(revokeToken.path)

  async function revoke(): Promise<void> {
    if (await confirm(words('revokeAsk', { name }), words('revoke'))) await revoking.run({ tokenId: id }, { message: words('revoked') })
  }

  return (
    <li>
      <div>
        <strong>{name}</strong> {isExpired && <span className="mark">{words('expired')}</span>}
        <p className="meta">
          {words(scopes.includes('draft') ? 'readsAndDrafts' : 'readsOnly')} · {words(isExpired ? 'expiredAt' : 'expiresAt')}{' '}
          <Time at={expiresAt} /> · {words(lastUsedAt ? 'lastUsed' : 'neverUsed')} {lastUsedAt && <Time at={lastUsedAt} />}
        </p>
      </div>
      <button
        type="button"
        className="button quiet"
        aria-label={words('revokeOf', { name })}
        disabled={revoking.isBusy}
        onClick={() => void revoke()}
      >
        {words('revoke')}
      </button>
    </li>
  )
}
