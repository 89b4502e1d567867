import type { Machine } from './machine.ts'

type Member = { name: string; role: string; state: string }

/** The machine whose PostgreSQL has this role, and works. */
export async function machineWithRole(machines: readonly Machine[], role: 'leader' | 'sync_standby'): Promise<Machine> {
  const members = await membersOf(machines)
  const named = members.find((one) => one.role === role && ['running', 'streaming'].includes(one.state))
  const found = machines.find(({ name }) => name === named?.name)
  if (!found) throw new Error(`There is no ${role}: ${JSON.stringify(members)}`)
  return found
}

/** The members as the first Patroni that answers knows them. */
async function membersOf(machines: readonly Machine[]): Promise<Member[]> {
  const answers = machines.filter(({ services }) => services.patroni).map(({ address }) => askMachine(`http://${address}:8008/cluster`))
  const { text } = await Promise.any(answers)
  return (JSON.parse(text) as { members: Member[] }).members
}

/** Hands the lease to the other PostgreSQL. */
export async function switchOver(leader: Machine, candidate: Machine): Promise<void> {
  const authorization = `Basic ${Buffer.from('patroni:CHANGE-patroni').toString('base64')}`
  const body = JSON.stringify({ leader: leader.name, candidate: candidate.name })
  const answer = await fetch(`http://${leader.address}:8008/switchover`, { method: 'POST', headers: { authorization }, body })
  if (!answer.ok) throw new Error(`Patroni answered ${answer.status}: ${await answer.text()}`)
}

/** Asks one part of one machine, for a moment. */
export async function askMachine(url: string): Promise<{ ok: boolean; text: string }> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) })
  return { ok: answer.ok, text: await answer.text() }
}
