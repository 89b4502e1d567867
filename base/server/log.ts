import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'

export type Log = Logger

/** One JSON line per event; readable lines in development. Secrets are removed wherever they occur. */
export function openLog({ development, level = 'info' }: { development: boolean; level?: string }, to?: DestinationStream): Log {
  const secrets = ['authorization', 'cookie', 'password', 'token', 'accessToken', 'refreshToken', 'captcha', 'body']
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[removed]' },
    ...(development && { transport: { target: 'pino-pretty', options: { colorize: true, translateTime: 'HH:MM:ss' } } }),
  }
  return to ? pino(options, to) : pino(options)
}
