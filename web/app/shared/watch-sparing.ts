import { sparesData } from '#web/lib/connection.ts'

/** An hour of video takes many minutes of work. */
const BATTERY_MIN = 0.5

type WithBattery = Navigator & { getBattery?: () => Promise<{ charging: boolean; level: number }> }

/**
 * Watches whether data or the battery is to be spared: nothing is made then that nobody has asked for. A browser that does
 * not tell is taken for one on the mains.
 */
export async function watchSparing(): Promise<() => boolean> {
  // It goes on telling how it is.
  const battery = await (navigator as WithBattery).getBattery?.().catch(() => undefined)
  return () => sparesData() || (battery !== undefined && !battery.charging && battery.level < BATTERY_MIN)
}
