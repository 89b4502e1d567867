import type { FastifyInstance } from 'fastify'
import { Missing, type Endpoint, type ParsedInput } from '#base/contract.ts'
import type { Database, Db } from '#base/server/database/database.ts'
import { Subscriber, type StreamUpdate } from '#base/server/live/subscriber.ts'
import { Subscribers, type SubscriberRights } from '#base/server/live/subscribers.ts'
import { networkLimit } from '#base/server/http/admission.ts'
import { normalizeIp } from '#base/server/http/network.ts'
import { parseInput, queryBody } from '#base/server/http/request.ts'
import { startEventStream } from '#base/server/http/stream.ts'
import { anyone, members, type Guard, type Member } from '#base/server/http/route.ts'
import { connectionLimit, type ConnectionLimits } from '#base/server/live/connection-limit.ts'

/** A stream of server-sent events to subscribe to. */
export type StreamSource = {
  endpoint: Endpoint
  guard: Guard
  isLive: true
  /** The cache tag whose invalidation may mean an update. */
  channel(input: never, viewer: never): string
  /** One read serves all subscribers of the channel, as one of them; null if there is nothing for anybody to see. */
  read(db: Db, input: never, viewer: never): Promise<StreamUpdate | null>
}

/** A stream open to everybody whom the update itself admits. */
export function publishStream<E extends Endpoint>(
  endpoint: E,
  channel: (input: ParsedInput<E>) => string,
  read: (db: Db, input: ParsedInput<E>) => Promise<StreamUpdate | null>,
): StreamSource {
  return { endpoint, guard: anyone, isLive: true, channel, read }
}

/** A stream of each member alone. */
export function publishPrivateStream(
  endpoint: Endpoint,
  channel: (memberId: string) => string,
  read: (db: Db, member: Member) => Promise<Omit<StreamUpdate, 'seenBy'>>,
): StreamSource {
  return {
    endpoint,
    guard: members,
    isLive: true,
    channel: (_, { id }: Member) => channel(id),
    read: async (db, _, member: Member) => ({ ...(await read(db, member)), seenBy: ({ id }) => id === member.id }),
  }
}

type LiveOptions = SubscriberRights & {
  sources: readonly StreamSource[]
  database: Database
  headers: Record<string, string>
  limits?: Partial<ConnectionLimits> | undefined
  heartbeatMs?: number | undefined
}

// A tab that is still there returns later, to end a stream in turn: several times a minute they would end each other's for ever.
const replacedRetryMs = 60_000

const defaultLimits: ConnectionLimits = { total: 5_000, perMember: 12, perNetwork: 60 }

/** Serves the event streams. Returns the function that counts open ones. */
export function serveLive(
  app: FastifyInstance,
  { sources, database, authenticate, affectedBy, headers, limits, heartbeatMs = 10_000 }: LiveOptions,
): () => number {
  const { take } = connectionLimit({ ...defaultLimits, ...limits })
  const subscribers = new Subscribers({ authenticate, affectedBy })
  database.invalidations.onceDropped((tags) => subscribers.invalidated(tags))
  const heartbeat = setInterval(() => subscribers.sendHeartbeats(), heartbeatMs).unref()
  // Before the server waits for its connections: these never end by themselves.
  app.addHook('preClose', async () => {
    clearInterval(heartbeat)
    subscribers.endAll()
  })

  for (const source of sources) {
    const limitNetwork = networkLimit(`streams of ${source.endpoint.path}`, 'GET')
    app.route({
      method: 'GET',
      url: `/api${source.endpoint.path}`,
      exposeHeadRoute: false,
      async handler(request, reply) {
        await limitNetwork(normalizeIp(request.ip))
        const { authorization, 'last-event-id': lastId, 'teahouse-stream': name } = request.headers
        const since = subscribers.rightsChanges
        const { viewer, sureForMs } = await authenticate(authorization)
        const admitted = source.guard(viewer) as never
        const input = parseInput(source.endpoint, queryBody(request.url.split('?')[1] ?? '')) as never
        const { begin, close } = take({ viewer, ip: request.ip, name: isStreamName(name) ? `${source.endpoint.path} ${name}` : null })
        if (reply.raw.destroyed) close()
        else reply.raw.on('close', close)
        await subscribers.admit(
          { name: source.channel(input, admitted), viewer, since, read: (as) => source.read(database.app, input, as as never) },
          (update) => {
            if (!update?.seenBy(viewer)) throw Missing()
            reply.hijack()
            startEventStream(reply.raw, headers)
            reply.raw.write('retry: 1000\n\n')
            const subscriber = new Subscriber(reply.raw, viewer, authorization, typeof lastId === 'string' ? lastId : '')
            subscribers.askAgainAfter(subscriber, sureForMs)
            subscriber.push(update)
            begin(() => subscriber.end(replacedRetryMs))
            return subscriber
          },
        )
        return reply
      },
    })
  }
  return () => subscribers.size
}

/** A random name of the client's own, in the header `Teahouse-Stream`. */
function isStreamName(name: unknown): name is string {
  return typeof name === 'string' && /^[\w-]{16,64}$/.test(name)
}
