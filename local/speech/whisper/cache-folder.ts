import { isAbsolute, join } from 'node:path'

interface Surroundings {
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
  homeDir: string
}

/** The user's folder for what can be downloaded again, by the convention of each platform. */
export function cacheFolder({ platform, env, homeDir }: Surroundings): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(homeDir, 'AppData', 'Local'), 'adapt', 'Cache')
  if (platform === 'darwin') return join(homeDir, 'Library', 'Caches', 'adapt')
  // The XDG base directory specification: relative paths are to be ignored.
  const named = env.XDG_CACHE_HOME
  return join(named && isAbsolute(named) ? named : join(homeDir, '.cache'), 'adapt')
}
