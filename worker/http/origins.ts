/** Where people open the app. The first is the main one. */
export function listOrigins(env: Pick<Env, 'APP_ORIGINS'>): string[] {
  return env.APP_ORIGINS.split(',').map((origin) => origin.trim().replace(/\/$/, ''))
}
