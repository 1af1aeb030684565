//! Model profiles and the source of each property.

use crate::support::Desk;
use vitrine_api::{ModelProfileInfo, ProfileSource, RemoteModel, RemoteProvider};
use vitrine_domain::{Caching, Effort, Endpoint, ErrorCode, Price, ProfileFacts, Reasoning, SchemaSupport};

fn remote(model: &str) -> RemoteModel {
    RemoteModel {
        id: "work".to_owned(),
        title: String::new(),
        provider: RemoteProvider::Openai,
        base_url: "https://127.0.0.1:9/v1".to_owned(),
        model: model.to_owned(),
        context_tokens: 0,
        has_key: false,
    }
}

fn source(info: &ModelProfileInfo, name: &str) -> (String, ProfileSource) {
    let line = info.lines.iter().find(|line| line.name == name).expect("a line");
    (line.value.clone(), line.source)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_tells_of_every_line_who_says_so_and_the_user_has_the_last_word() {
    let desk = Desk::new(vec!["unused"]).await;
    let app = &desk.app;
    app.set_remote_model(remote("gpt-5.5-pro"), None).await.unwrap();
    let known = app.model_profile("work".to_owned()).await.unwrap();
    assert_eq!(source(&known, "context_tokens"), ("1050000".to_owned(), ProfileSource::Declared));
    assert_eq!(source(&known, "token_probabilities"), ("false".to_owned(), ProfileSource::Declared));
    assert_eq!(source(&known, "effort"), (String::new(), ProfileSource::Assumed));
    let profile = &known.profile;
    let kind = (profile.endpoint, profile.reasoning, profile.schema);
    assert_eq!(kind, (Endpoint::Responses, Reasoning::Hidden, SchemaSupport::Strict));
    assert!(known.declared_on.starts_with("20") && known.probed_on.is_none());

    let said = ProfileFacts { effort: Some(Effort::High), context_tokens: Some(64_000), ..ProfileFacts::default() };
    let known = app.set_model_profile("work".to_owned(), said.clone()).await.unwrap();
    assert_eq!(source(&known, "context_tokens"), ("64000".to_owned(), ProfileSource::Said));
    assert_eq!(
        (known.profile.effort, known.profile.chunk_budget),
        (Some(Effort::High), 16_000),
        "it is worked out anew"
    );
    let small = ProfileFacts { context_tokens: Some(100), ..ProfileFacts::default() };
    assert_eq!(app.set_model_profile("work".to_owned(), small).await.unwrap_err().code, ErrorCode::Usage);
    // Egress depends on the place where the model runs, so that a remote model cannot be declared as local.
    let here = ProfileFacts { caching: Some(Caching::Kept), ..ProfileFacts::default() };
    assert_eq!(app.set_model_profile("work".to_owned(), here).await.unwrap_err().code, ErrorCode::Usage);
    assert!(!app.model_profile("work".to_owned()).await.unwrap().profile.runs_here());

    // A negative price would disable every limit of money; a reply cannot be longer than the context.
    let price = |input| Some(Price { input, cached: 1.0, output: 2.0, cache_write: None });
    for wrong in [
        ProfileFacts { price: price(-1.0), ..said.clone() },
        ProfileFacts { price: price(f64::NAN), ..said.clone() },
        ProfileFacts { reply_tokens: Some(64_001), ..said.clone() },
        ProfileFacts { chunk_budget: Some(0), ..said.clone() },
    ] {
        let error = app.set_model_profile("work".to_owned(), wrong.clone()).await.expect_err(&format!("{wrong:?}"));
        assert!(error.code == ErrorCode::Usage && error.hint.is_some(), "{error:?}");
    }
    assert_eq!(app.model_profile("work".to_owned()).await.unwrap().said, said, "nothing of it was kept");
    let right = ProfileFacts { price: price(0.0), reply_tokens: Some(64_000), ..said.clone() };
    app.set_model_profile("work".to_owned(), right).await.unwrap();
    app.set_model_profile("work".to_owned(), said.clone()).await.unwrap();

    // The chunk budget of a paper applies as far as a server's context allows.
    for (context_tokens, budget) in [(8_000, "2666"), (0, "80000")] {
        app.set_remote_model(RemoteModel { context_tokens, ..remote("gpt-5-mini") }, None).await.unwrap();
        let known = app.set_model_profile("work".to_owned(), ProfileFacts::default()).await.unwrap();
        assert_eq!(source(&known, "chunk_budget"), (budget.to_owned(), ProfileSource::Declared));
    }
    let more = ProfileFacts { chunk_budget: Some(60_000), ..ProfileFacts::default() };
    let known = app.set_model_profile("work".to_owned(), more).await.unwrap();
    assert_eq!(source(&known, "chunk_budget"), ("60000".to_owned(), ProfileSource::Said));
    app.set_model_profile("work".to_owned(), said.clone()).await.unwrap();

    // The configured context length is a declared property, and the user's properties stay when the model changes.
    app.set_remote_model(RemoteModel { context_tokens: 8_000, ..remote("house-model-7b") }, None).await.unwrap();
    let known = app.model_profile("work".to_owned()).await.unwrap();
    assert_eq!(known.said, said);
    let known = app.set_model_profile("work".to_owned(), ProfileFacts::default()).await.unwrap();
    assert_eq!(source(&known, "context_tokens"), ("8000".to_owned(), ProfileSource::Declared));
    assert_eq!(known.profile.endpoint, Endpoint::Chat);

    app.set_model_profile("work".to_owned(), said).await.unwrap();
    app.delete_remote_model("work".to_owned()).await.unwrap();
    assert!(app.model_profile("work".to_owned()).await.is_err());
    app.set_remote_model(remote("gpt-5.5-pro"), None).await.unwrap();
    assert_eq!(app.model_profile("work".to_owned()).await.unwrap().said, ProfileFacts::default(), "it was forgotten");
}
