import pg from 'pg'
import { pino } from 'pino'
import { sql } from 'kysely'
import { dayAt, later, startOf } from '#base/server/calendar.ts'
import type { Forum, Person } from '#base/testing/forum.ts'
import * as contract from '#payment/reconcile-contract.ts'
import { notification, paidIn, tell, tops, workOff } from '#payment/server/example.ts'
import { takeStatements } from '#payment/server/statement.ts'
import type { Staffer } from '#staff/server/example.ts'

const zone = 'Asia/Shanghai'

/** Days of the sandbox, each before the one that was used last: what a statement says stays. */
export class Days {
  /** Has its statement once the statements are taken. */
  day = dayAt(Date.now(), zone)
  readonly forum: Forum
  readonly chief: Staffer
  private readonly owner: pg.Client

  constructor(forum: Forum, chief: Staffer) {
    this.forum = forum
    this.chief = chief
    this.owner = new pg.Client({ connectionString: forum.ownerUrl })
    // Dropped with its database, when the forum closes.
    this.owner.on('error', () => undefined)
  }

  async begin(): Promise<this> {
    await this.owner.connect()
    return this
  }

  get noon(): Date {
    return new Date(startOf(this.day, zone).getTime() + 12 * 3_600_000)
  }

  async goBack(): Promise<void> {
    this.day = later(this.day, -1)
  }

  /** Changes what nobody may change, so that time has passed. */
  past(text: string): Promise<unknown> {
    return this.owner.query(`set session_replication_role = replica; ${text}; set session_replication_role = origin`)
  }

  asOwner(text: string): Promise<unknown> {
    return this.owner.query(text)
  }

  take(): Promise<void> {
    return takeStatements(this.forum.database, pino({ level: 'silent' }))
  }

  /** A payment that the sandbox has of noon of the day, and that is credited where it was told. */
  async paid(who: Person, amount: string, { isTold = true } = {}): Promise<string> {
    const at = this.noon
    const { number } = (await tops(who, amount)).body
    await this.past(
      `update payment_order set created_at = '${at.toISOString()}'::timestamptz - interval '1 minute' where number = '${number}'`,
    )
    await sql`update payment_sandbox set outcome = 'paid', paid_at = ${at} where number = ${number}`.execute(this.forum.database.app)
    if (isTold)
      await tell(this.forum.app, await notification(this.forum.database, await paidIn(this.forum.database, number, { paidAt: at })))
    await workOff(this.forum.database)
    return number
  }

  /** A refund that is done, and given back on the day. */
  async gaveBack(refund: string): Promise<void> {
    await workOff(this.forum.database)
    await this.past(`update payment_refund set returned_at = '${this.noon.toISOString()}' where number = '${refund}'`)
    await sql`update payment_sandbox_refund set at = ${this.noon} where number = ${refund}`.execute(this.forum.database.app)
  }

  async statement(): Promise<contract.StatementView | undefined> {
    return (await this.chief.call(contract.statementList, {})).rows.find((row) => row.day === this.day)
  }

  /** Differences of the day. */
  async found(state?: contract.DifferenceView['state']): Promise<contract.DifferenceView[]> {
    const { rows } = await this.chief.call(contract.differenceList, { ...(state && { state }), size: 200 })
    return rows.filter((row) => row.day === this.day)
  }
}
