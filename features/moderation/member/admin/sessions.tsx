import { deviceName } from '#base/device-name.ts'
import { useAction } from '#base/web/action.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAddress } from '#base/web/region.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { endMemberSessions, Member } from '#member/contract.ts'
import type { endMemberTokens } from '#member/token-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#member/admin/member.module.css'

/** What is logged in as this member: their devices, and their programs. */
export function Sessions({ member: { id, account, nickname, sessions, tokens, isOfficial } }: { member: Member }) {
  const words = useWords('memberAdmin')
  const address = useAddress()
  const end = useAction<typeof endMemberSessions>('/admin/member/endSessions')
  const may = mayDo('member.access') && !isOfficial
  return (
    <>
      <h2>{words('sessions')}</h2>
      {sessions.length === 0 && <p className="empty">{words('noSessions')}</p>}
      <ul className={css.rows}>
        {sessions.map((one) => (
          <li key={one.id}>
            <div>
              <p>{deviceName(one.device) ?? words('unknownDevice')}</p>
              <span className="meta">
                {address(one)} · {words('lastUsed')} <Time at={one.lastUsedAt} />
              </span>
            </div>
            {may && (
              <button type="button" className="button quiet" onClick={() => void end.run({ memberId: id, sessionId: one.id })}>
                {words('endSession')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {may && sessions.length + tokens.length > 1 && (
        <button type="button" className="button quiet" onClick={() => void end.run({ memberId: id }, { message: words('allEnded') })}>
          {words('endAll')}
        </button>
      )}
      {tokens.length > 0 && <Tokens tokens={tokens} memberId={id} name={nickname ?? account} may={may} />}
    </>
  )
}

function Tokens({ tokens, memberId, name, may }: Pick<Member, 'tokens'> & { memberId: string; name: string; may: boolean }) {
  const words = useWords('memberAdmin')
  const end = useAction<typeof endMemberTokens>('/admin/member/endTokens')

  async function endAll(): Promise<void> {
    if (await confirm(words('endTokensAsk', { name }), words('endTokens'))) await end.run({ memberId }, { message: words('tokensEnded') })
  }

  return (
    <>
      <h2>{words('tokens')}</h2>
      <p className="meta">{words('tokensWhat')}</p>
      <ul className={css.rows}>
        {tokens.map((one) => (
          <li key={one.id}>
            <div>
              <p>
                {one.name} {one.isExpired && <span className="mark">{words('tokenExpired')}</span>}
              </p>
              <span className="meta">
                {words(one.mayWrite ? 'tokenReadsAndWrites' : 'tokenReads')} · {words(one.isExpired ? 'tokenExpiredAt' : 'tokenUntil')}{' '}
                <Time at={one.expiresAt} /> · {words(one.lastUsedAt ? 'tokenUsed' : 'tokenUnused')}{' '}
                {one.lastUsedAt && <Time at={one.lastUsedAt} />}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {may && (
        <button type="button" className="button quiet" disabled={end.isBusy} onClick={() => void endAll()}>
          {words('endTokens')}
        </button>
      )}
    </>
  )
}
