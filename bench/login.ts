import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { hashPassword, isPassword } from '#base/server/security/hash-password.ts'
import { xsrfOf } from './requests.ts'
import { startForum } from './start-forum.ts'
import { figureOf, print, type Row } from './table.ts'
import type { Figure } from './wrk.ts'

// Twenty concurrent logins, compared with bare Argon2id on the same cores; and the latency of others meanwhile.
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10)
const crowd = 20
const password = 'a-quiet-evening'
const dataDir = mkdtempSync(join(tmpdir(), 'teahouse-login-'))
const { forum, state, stop } = await startForum({ dataDir, comments: 2_000, cacheBytes: null })
const pool = new pg.Pool({ connectionString: forum.ownerUrl, max: 1 })
try {
  const hashed = await hashPassword(password)
  const { rows } = await pool.query<{ account: string }>(
    'update member set password_hash = $1 where not is_official and deactivated_at is null returning account',
    [hashed],
  )
  const token = await xsrfOf(forum.url)
  let next = 0
  console.log(`${seconds} s, ${crowd} at once; ratios are to bare Argon2id`)
  const measured: Row[] = [{ name: 'bare Argon2id', figure: await crowded(() => isPassword(hashed, password)) }]
  await state()
  measured.push({ name: 'a page that is kept, by itself', figure: await paced(look), state: await state() })
  const [logins, pages] = await Promise.all([crowded(logIn), paced(look)])
  measured.push({ name: 'logins by password', figure: logins, state: await state() })
  measured.push({ name: 'the page beside them', figure: pages })
  print(measured)

  async function logIn(): Promise<boolean> {
    const account = rows[next++ % rows.length]?.account ?? ''
    const answer = await fetch(`${forum.url}/api/account/login`, {
      method: 'POST',
      headers: {
        ...token,
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `10.${next >> 16}.${(next >> 8) & 255}.${next & 255}`,
      },
      body: new URLSearchParams({ account, password }),
    })
    await answer.arrayBuffer()
    return answer.ok
  }

  async function look(): Promise<boolean> {
    const answer = await fetch(`${forum.url}/index`)
    await answer.arrayBuffer()
    return answer.ok
  }
} finally {
  await pool.end()
  await stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** The whole crowd at once, each again as soon as it is done. */
function crowded(action: () => Promise<boolean>): Promise<Figure> {
  return timed(
    action,
    Array.from({ length: crowd }, () => 0),
  )
}

/** One request, fifty times a second. */
function paced(action: () => Promise<boolean>): Promise<Figure> {
  return timed(action, [20])
}

async function timed(action: () => Promise<boolean>, pauses: readonly number[]): Promise<Figure> {
  const took: number[] = []
  let failed = 0
  const until = performance.now() + seconds * 1_000
  await Promise.all(
    pauses.map(async (pause) => {
      while (performance.now() < until) {
        const began = performance.now()
        if (!(await action())) failed++
        took.push(performance.now() - began)
        if (pause > 0) await new Promise((go) => setTimeout(go, pause))
      }
    }),
  )
  return figureOf(took, seconds, failed)
}
