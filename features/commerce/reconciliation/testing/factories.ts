import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { dayAt, addDays, startOfDay } from '#base/server/calendar.ts'
import type { Forum, Person } from '#base/testing/forum.ts'
import { notification, paidIn, tell, tops, workOff } from '#payment/testing/factories.ts'
import * as contract from '#reconciliation/contract.ts'
import { fetchStatements } from '#reconciliation/server/statement.ts'
import type { Staffer } from '#staff/testing/factories.ts'

/** Days of the sandbox, each before the previous one, because statements are immutable. */
export class Days {
  /** The day whose statement is fetched next. */
  day = dayAt(Date.now(), 'Asia/Shanghai')
  readonly forum: Forum
  readonly chief: Staffer
  private readonly owner: pg.Client

  constructor(forum: Forum, chief: Staffer) {
    this.forum = forum
    this.chief = chief
    // Bypasses triggers.
    this.owner = new pg.Client({ connectionString: forum.ownerUrl, options: '-c session_replication_role=replica' })
    // The connection is dropped with its database when the forum closes.
    this.owner.on('error', () => undefined)
  }

  async begin(): Promise<this> {
    await this.owner.connect()
    return this
  }

  get noon(): Date {
    return new Date(startOfDay(this.day, 'Asia/Shanghai').getTime() + 12 * 3_600_000)
  }

  async goBack(): Promise<void> {
    this.day = addDays(this.day, -1)
  }

  /** Changes immutable rows, to simulate elapsed time. */
  past(text: string): Promise<unknown> {
    return this.owner.query(text)
  }

  take(): Promise<void> {
    return fetchStatements(this.forum.database, pino({ level: 'silent' }))
  }

  /** A payment in the sandbox at noon of the day, credited unless its notification is withheld. */
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

  /** Completes a refund on the day. */
  async gaveBack(refund: string): Promise<void> {
    await workOff(this.forum.database)
    await this.past(`update payment_refund set returned_at = '${this.noon.toISOString()}' where number = '${refund}'`)
    await sql`update payment_sandbox_refund set at = ${this.noon} where number = ${refund}`.execute(this.forum.database.app)
  }

  async statement(): Promise<contract.StatementView | undefined> {
    return (await this.chief.call(contract.statementList, {})).rows.find((row) => row.day === this.day)
  }

  async found(state?: contract.DifferenceView['state']): Promise<contract.DifferenceView[]> {
    const { rows } = await this.chief.call(contract.differenceList, { ...(state && { state }), size: 200 })
    return rows.filter((row) => row.day === this.day)
  }
}
