// The matrix of values through sqlx: matrix WAY. See matrix_test.go.
//
// sqlx sends parameters in the binary protocol only. The way "text" reads results in the text
// protocol, "prepared" prepares each statement anew, "cached" keeps them.

use serde_json::Value;
use sqlx::mysql::types::MySqlTime;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlRow};
use sqlx::types::time::{Date, OffsetDateTime, PrimitiveDateTime};
use sqlx::types::BigDecimal;
use sqlx::{ConnectOptions, Connection, Row, TypeInfo, ValueRef};
use std::env::var;

fn told(e: sqlx::Error) -> String {
    match e {
        sqlx::Error::Database(e) => format!("{} {}", e.code().unwrap_or_default(), e.message()),
        e => e.to_string(),
    }
}

async fn read(c: &mut MySqlConnection, way: &str, table: u64, row: u64) -> sqlx::Result<MySqlRow> {
    if way == "text" {
        return sqlx::raw_sql(&format!("SELECT v FROM t{table} WHERE id = {row}")).fetch_one(c).await;
    }
    let query = format!("SELECT v FROM t{table} WHERE id = ?");
    sqlx::query(&query).bind(row).persistent(way == "cached").fetch_one(c).await
}

async fn cell(c: &mut MySqlConnection, way: &str, table: u64, id: u64) -> sqlx::Result<String> {
    let row = read(c, way, table, id).await?;
    let insert = format!("INSERT INTO b{table} VALUES (?, ?)");
    let (kind, null) = {
        let raw = row.try_get_raw(0)?;
        (raw.type_info().name().to_string(), raw.is_null())
    };
    // back sends a value, and shows it as its type has it.
    macro_rules! back {
        ($t:ty) => {{
            let v: $t = row.try_get_unchecked(0)?;
            let mut shown = format!("{kind} {v:?}");
            let sent = sqlx::query(&insert).bind(id).bind(v).persistent(way == "cached");
            if let Err(e) = sent.execute(c).await {
                shown += &format!(" | {}", told(e));
            }
            shown
        }};
    }
    if null {
        return Ok(back!(Option<String>));
    }
    Ok(match kind.as_str() {
        "BOOLEAN" => back!(bool),
        "TINYINT" => back!(i8),
        "SMALLINT" => back!(i16),
        "MEDIUMINT" | "INT" => back!(i32),
        "BIGINT" => back!(i64),
        "TINYINT UNSIGNED" => back!(u8),
        "SMALLINT UNSIGNED" | "YEAR" => back!(u16),
        "MEDIUMINT UNSIGNED" | "INT UNSIGNED" => back!(u32),
        "BIGINT UNSIGNED" | "BIT" => back!(u64),
        "FLOAT" => back!(f32),
        "DOUBLE" => back!(f64),
        "DECIMAL" => back!(BigDecimal),
        "DATE" => back!(Date),
        "TIME" => back!(MySqlTime),
        "DATETIME" => back!(PrimitiveDateTime),
        "TIMESTAMP" => back!(OffsetDateTime),
        "JSON" => back!(Value),
        "CHAR" | "VARCHAR" | "TINYTEXT" | "TEXT" | "MEDIUMTEXT" | "LONGTEXT" | "ENUM" | "SET" => back!(String),
        _ => back!(Vec<u8>),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let way = std::env::args().nth(1).ok_or("no way")?;
    let options = MySqlConnectOptions::new()
        .host(&var("EMBER_HOST")?)
        .port(var("EMBER_PORT")?.parse()?)
        .username(&var("EMBER_USER")?)
        .password(&var("EMBER_PASSWORD")?)
        .database(&var("EMBER_DATABASE")?)
        .disable_statement_logging();
    let mut c = options.connect().await?;
    for q in serde_json::from_str::<Vec<String>>(&var("EMBER_SETUP")?)? {
        sqlx::raw_sql(&q).execute(&mut c).await?;
    }
    let cells: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(var("EMBER_CELLS")?)?)?;
    for at in &cells {
        let (table, row) = (at["Table"].as_u64().ok_or("Table")?, at["Row"].as_u64().ok_or("Row")?);
        let answer = cell(&mut c, &way, table, row).await.unwrap_or_else(told);
        println!("{}", serde_json::json!({"Name": at["Name"], "Answer": answer}));
    }
    c.close().await?;
    Ok(())
}
