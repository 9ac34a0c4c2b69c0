/** Whether tzdata has a time zone of this name, such as `Europe/Berlin`. */
export function zoneExists(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
