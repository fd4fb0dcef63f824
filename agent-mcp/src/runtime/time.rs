//! Time as text.

use std::{fmt, time::SystemTime};

/// A time as RFC 3339 writes it, in UTC and milliseconds.
pub(crate) struct Rfc3339(pub(crate) SystemTime);

impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let since = self.0.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
        // Days to a civil date: years begin in March, so that the day of a leap comes last.
        let day = days + 719_468;
        let era = day / 146_097;
        let of_era = day % 146_097;
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let date = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = era * 400 + year_of_era + u64::from(month <= 2);
        write!(
            f,
            "{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}.{:03}Z",
            seconds / 3_600,
            seconds / 60 % 60,
            seconds % 60,
            since.subsec_millis()
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::Rfc3339;

    #[test]
    fn a_time_is_written_as_rfc_3339() {
        let at = |ms| Rfc3339(SystemTime::UNIX_EPOCH + Duration::from_millis(ms)).to_string();
        assert_eq!(at(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_399_999), "2000-02-28T23:59:59.999Z");
        assert_eq!(at(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(1_796_083_200_123), "2026-12-01T00:00:00.123Z");
    }
}
