import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { healthPath, SeenView, seenPath, streamPath, uploadPath, UploadView } from '#apps/server/doctor/probe.ts'
import { identityFor, proofFor, proofHeader } from '#apps/server/doctor/proof.ts'
import { openAsVisitor, requestAsVisitor, type VisitorResponse } from '#base/server/outbound/as-visitor.ts'
import { health, type HealthView } from '#maintenance/contract.ts'

type Way = { signal: AbortSignal; ca?: string | undefined }

export function newName(): string {
  return randomBytes(18).toString('base64url')
}

/** How the forum at an address sees a request; null if another program answers there, or a forum with another key. */
export async function askSeen(address: URL, { headers, ...way }: Way & { headers?: Record<string, string> }): Promise<SeenView | null> {
  const nonce = newName()
  const url = new URL(`${seenPath}?nonce=${nonce}`, address)
  const answer = await requestAsVisitor(url, { ...way, method: 'POST', headers: { ...headers, [proofHeader]: proofFor(seenPath) } })
  // A proxy without a server behind it.
  if (answer.status >= 500) throw new Error(`status ${answer.status}`)
  const seen = parsed(SeenView, answer)
  return seen?.identity === identityFor(nonce) ? seen : null
}

/** Only of the server itself: its answer is not for whatever else may answer at the public address. */
export async function askHealth(address: URL, way: Way): Promise<HealthView | null> {
  const answer = await requestAsVisitor(new URL(healthPath, address), { ...way, headers: { [proofHeader]: proofFor(healthPath) } })
  return parsed(health.output, answer)
}

export function openStream(address: URL, name: string, way: Way): Promise<IncomingMessage> {
  const url = new URL(`${streamPath}?name=${name}`, address)
  return openAsVisitor(url, { ...way, headers: { [proofHeader]: proofFor(streamPath), accept: 'text/event-stream' } })
}

/** Uploads so many bytes. The answer has the number that arrived; null if it is not the forum's. */
export async function upload(address: URL, bytes: number, way: Way): Promise<{ status: number; arrived: number | null }> {
  const headers = { [proofHeader]: proofFor(uploadPath) }
  const answer = await requestAsVisitor(new URL(uploadPath, address), { ...way, method: 'POST', headers, body: randomBytes(bytes) })
  return { status: answer.status, arrived: parsed(UploadView, answer)?.bytes ?? null }
}

function parsed<Schema extends z.ZodType>(schema: Schema, { status, text }: VisitorResponse): z.output<Schema> | null {
  if (status !== 200) return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
